// Evidence: what the engine ran, on which tree, and the results. Anyone can run it again.
import type { Finding } from '../fact/finding.ts'
import type { TestNames } from '../test-output/test-names.ts'
import type { FlakyTest, ProbeReport } from './probe-report.ts'
import type { CommitId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { RunnerIdentity } from '../test-output/runner-identity.ts'
import type { TestCount } from '../test-output/read-tests.ts'

/** The JSON report of a validator. */
export interface ValidatorReport {
  readonly ok: boolean
  readonly errors: readonly string[]
  readonly normalizedHtml: string | null
}

export interface ProgramDigest {
  /** `node`, `cargo`: as it was looked up on PATH. */
  readonly program: string
  /** `sha256:…` of its file. */
  readonly digest: string
}

export interface CheckRun {
  readonly name: string
  readonly kind: 'check' | 'validator'
  /** sha256 of the identity of this check: kind, command, folder, time limit. */
  readonly checkHash: string
  readonly argv: readonly string[]
  readonly exit: number | null
  /** `notNeeded`: a validator of changed files, and none of the changed files still exists. */
  readonly how: 'exited' | 'signalled' | 'timedOut' | 'flooded' | 'notStarted' | 'notNeeded'
  readonly durationMs: number
  /** null: the runner did not report it. */
  readonly tests: TestCount | null
  /** null: the runner does not name them all, and only their number is known. */
  readonly names: TestNames | null
  /**
   * `channel`: our own reporters in the runners counted the tests. `output`: all that is known of them is what the check
   * printed, which any program can print. Absent: no tests are known.
   */
  readonly testsFrom?: 'channel' | 'output'
  /** The test runner that its command starts; absent: none that is known. */
  readonly runner?: RunnerIdentity
  /** The programs behind the result, with a digest of each file. */
  readonly toolchain?: readonly ProgramDigest[]
  /** What it printed and what its test runners reported contradict each other: it is not green. */
  readonly contradiction?: string
  /** The versions of the runner and of its platform, as far as they are known: `vitest 5.1.0`, `node v24.1.0`. */
  readonly versions?: readonly string[]
  /** `sha256:…` of every byte of the output, including those that were not kept. */
  readonly outputDigest: string
  /** The last whole lines, without control sequences. */
  readonly outputTail: string
  /**
   * For a failed setup: the lines of its whole output that name the cause; installers print it before pages of usage.
   */
  readonly cause?: readonly string[]
  readonly report: ValidatorReport | null
  /** The result comes from an earlier run on the same tree. */
  readonly cached: boolean
  /** The setup, which runs before the checks; absent: a check or validator. */
  readonly step?: 'setup'
  /** It failed because the disk was full: its output says so, and the disk was full. */
  readonly noSpace?: true
  /** Files of the engine that it changed while it ran: its result is worth nothing. */
  readonly rewrote?: readonly string[]
  /** Failing tests that fail on the base now and then too: the check is judged without them. */
  readonly flaky?: readonly FlakyTest[]
  /** Files of the tree that it changed or deleted while it ran, so it may have judged others. Absent: none. */
  readonly wrote?: readonly string[]
  /** Those among them that `[check.NAME] writes` allows; they are not in `wrote`. */
  readonly wroteAllowed?: readonly string[]
  /** Test files that could not be loaded, collected or compiled: none of their tests ran. Absent: none. */
  readonly unloaded?: number
  /** It ran only the test files that the caller named; absent: all of them. */
  readonly narrowed?: true
  /** Earlier runs that the machine cut short; absent: none. */
  readonly unfinished?: number
}

export interface BaseJudgedRun {
  /** The files that were restored from the base. */
  readonly restored: readonly string[]
  readonly checks: readonly CheckRun[]
}

export interface Clearance {
  /** `reviewer claude`, or the name of a person. */
  readonly by: string
  readonly reasons: readonly string[]
}

/** How to run everything again: only the tree is needed in addition. */
export interface Recipe {
  readonly setup: string | null
  /** Whether the setup ran the install scripts of packages. */
  readonly installScripts: 'run' | 'off'
  readonly checks: readonly RecipeCheck[]
}

export interface RecipeCheck {
  readonly name: string
  readonly kind: 'check' | 'validator'
  readonly command: string
  readonly cwd: string
  readonly timeoutMs: number
  readonly writes?: readonly string[]
}

export interface Evidence {
  readonly task: TaskId
  readonly tree: TreeId
  /** The commit below the work. */
  readonly base: CommitId
  readonly recipe: Recipe
  /** The changed files that the validators got. */
  readonly changed: readonly string[]
  readonly checks: readonly CheckRun[]
  /** The same checks on the base, where they matter. */
  readonly baseline: readonly CheckRun[]
  /** Findings in the patch that need a second look. */
  readonly findings: readonly Finding[]
  /** Where a finding touches what judges the code: the checks on this tree with the base's own tests and settings. */
  readonly secondOpinion: BaseJudgedRun | null
  /** Who cleared the findings, and why; null: nobody had to, or nobody has yet. */
  readonly cleared: Clearance | null
  /** A human's own fix: its author, and their words. */
  readonly resolution: { readonly by: string; readonly text: string } | null
  readonly verdict: 'green' | 'red' | 'unverified'
  /** What shows that the checks see this change; absent: from a version without probes, or there was nothing to prove. */
  readonly probes?: ProbeReport
  /** Notes for the reader: bootstrap, no tests required, red before. */
  readonly notes: readonly string[]
  readonly configHash: string
  readonly platform: string
  readonly at: Instant
}

/** Evidence lists this many tests by name; of more it holds a digest of the list, which a second run must reproduce. */
const NAMES_LISTED_MAX = 2_000

export function withListedNames(run: CheckRun, digest: (text: string) => string): CheckRun {
  const { names } = run
  if (names === null || names.passed.length + names.failed.length + names.skipped.length <= NAMES_LISTED_MAX) return run
  const list = `${names.passed.length} tests, sha256:${digest(names.passed.toSorted().join('\n'))}`
  return { ...run, names: { passed: [list], failed: [], skipped: [] } }
}

/** Both the exit code and the counts must be good: a runner that counts failures and exits 0 is not green. */
export function isGreen(run: CheckRun): boolean {
  if (run.how === 'notNeeded') return run.kind === 'validator'
  if ((run.rewrote ?? []).length > 0 || run.contradiction !== undefined) return false
  if (run.flaky !== undefined) return isGreenWithout(run, run.flaky)
  return (
    run.how === 'exited' && run.exit === 0 && (run.tests?.failed ?? 0) === 0 && (run.report === null || run.report.ok)
  )
}

/** The only failures are tests that are known to be flaky. */
function isGreenWithout({ how, names, tests }: CheckRun, flaky: readonly FlakyTest[]): boolean {
  const excused = new Set(flaky.map(({ name }) => name))
  const failed = names?.failed ?? []
  return (
    how === 'exited' &&
    failed.length > 0 &&
    failed.every((name) => excused.has(name)) &&
    (tests?.failed ?? 0) <= failed.length
  )
}

/** Of checks only: a validator looks at content, whatever it prints. */
export function testsRun(runs: readonly CheckRun[]): number {
  return runs.reduce((sum, { kind, tests }) => sum + (kind === 'check' ? (tests?.run ?? 0) : 0), 0)
}

/** The form on the wire. A known check that is not configured has not failed. */
export interface CheckReport {
  readonly ok: boolean
  readonly typecheck_ok: boolean
  readonly lint_ok: boolean
  readonly unit_ok: boolean
  readonly logs: string
}

export interface ValidationReport {
  readonly ok: boolean
  readonly errors: readonly string[]
  readonly normalized_html?: string
}

export function checkReport(runs: readonly CheckRun[]): CheckReport {
  const checks = runs.filter(({ kind }) => kind === 'check')
  const isOk = (name: string): boolean => checks.filter((run) => run.name === name).every(isGreen)
  return {
    ok: checks.length > 0 && checks.every(isGreen),
    typecheck_ok: isOk('typecheck'),
    lint_ok: isOk('lint'),
    unit_ok: isOk('unit'),
    logs: checks
      .map((run) => `${run.name}: ${isGreen(run) ? 'green' : 'red'}\n${run.outputTail}`.trimEnd())
      .join('\n\n'),
  }
}

/** null where no validator is configured. */
export function validationReport(runs: readonly CheckRun[]): ValidationReport | null {
  const validators = runs.filter(({ kind }) => kind === 'validator')
  if (validators.length === 0) return null
  const html = validators.find(({ report }) => (report?.normalizedHtml ?? null) !== null)?.report?.normalizedHtml
  return {
    ok: validators.every(isGreen),
    errors: validators.flatMap((run) => (isGreen(run) ? [] : errorsOf(run))),
    ...(html == null ? {} : { normalized_html: html }),
  }
}

function errorsOf(run: CheckRun): readonly string[] {
  if (run.report !== null && run.report.errors.length > 0) return run.report.errors
  return [`${run.name}: ${run.outputTail.trim() === '' ? 'it failed and printed nothing' : run.outputTail.trim()}`]
}
