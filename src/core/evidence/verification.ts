// May a tree be called verified? Only with evidence: no check, no test, or a check that cannot fail proves nothing.
import { type CheckRun, isGreen, testsRun } from './evidence.ts'
import type { Verdict } from '../fact/fact.ts'
import { lostSinceRed } from './inventory.ts'
import { hadNothingToRun } from './nothing-to-run.ts'
import { faultOf, isKilledBelowShell } from './run-ending.ts'
import type { PatchKind } from './probe-report.ts'
import type { TaskType } from '../task/task.ts'
import { NEW_SETTINGS, rerunNotes, unfinishedEverywhere } from './unfinished-runs.ts'

export interface VerificationInput {
  readonly runs: readonly CheckRun[]
  readonly requireTests: 'required' | 'not-required'
  readonly taskType: TaskType | null
  /** What the patch changes. */
  readonly kind: PatchKind
  /** Files of the tree that a check rewrote while it ran, where it leaves them alone on the base. */
  readonly rewritten?: readonly RewrittenFile[]
  /** The files that the task should create, and those of them that the tree lacks. */
  readonly filesExpected: readonly string[]
  readonly filesMissing: readonly string[]
  /** The same checks on the base; null: not run, since nothing was red or missing. */
  readonly baseline: readonly CheckRun[] | null
}

export interface RewrittenFile {
  readonly check: string
  readonly path: string
  /** Whether it is a test or something else that judges the work. */
  readonly judges: boolean
}

export interface Judgement {
  readonly verdict: Verdict
  readonly notes: readonly string[]
}

export function judge(examined: VerificationInput): Judgement {
  const { runs, filesMissing } = examined
  if (filesMissing.length > 0) return redJudgement(missingFiles(filesMissing), [])
  if (!runs.some(({ kind }) => kind === 'check')) return unverifiedJudgement(NO_CHECK, 'operator')
  const failing = runs.filter((run) => !isGreen(run))
  const excused = failing.filter((run) => isExcused(run, examined))
  if (excused.length < failing.length) {
    const unexcused = failing.filter((run) => !excused.includes(run))
    if (unexcused.every((run) => faultOf(run, examined.baseline) === 'machine'))
      return { verdict: unfinishedEverywhere(unexcused), notes: rerunNotes(unexcused) }
    return judgeRed(unexcused, examined)
  }
  if (!passes(runs)) return redJudgement(nothingRuns(excused), [])
  const rewritten = judgeRewritten(examined.rewritten ?? [])
  if (rewritten !== null) return rewritten
  const lost = runs.flatMap((run) => lostTests(run, examined) ?? [])
  if (lost.length > 0) return redJudgement(lost.join('\n\n'), redBefore(runs, examined))
  return judgeGreen(
    examined,
    excused.map((run) => `${run.name} cannot run yet: this is a new project`),
  )
}

/** What was tested is not the tree that would be merged. */
function judgeRewritten(rewritten: readonly RewrittenFile[]): Judgement | null {
  const [first] = rewritten
  if (first === undefined) return null
  const judging = rewritten.filter(({ judges }) => judges)
  if (judging.length > 0)
    return unverifiedJudgement(
      `${first.check} rewrote ${list(judging.map(({ path }) => path))} while it ran, which judges the work, so its result proves nothing: make it leave such files as they are`,
      'agent',
    )
  const error = `${first.check} rewrote ${list(rewritten.map(({ path }) => path))} while it ran, so what was tested is not what you handed in: run it, see that the result is right, and hand that in`
  return { verdict: { is: 'unverified', error, mendedBy: 'agent', costs: 'nothing' }, notes: [] }
}

const NO_CHECK = 'no check is configured: add one to [checks] in ralph.toml, for example unit = "npm test"'
const NO_COUNT =
  'no check said how many tests it ran: name one in [checks] of ralph.toml that runs your tests with node:test, vitest, jest, mocha, ' +
  'pytest, unittest, go test or cargo test, or that prints TAP or JUnit XML, and that fails when a test does (docs/guide/checks.md)'
const NO_TESTS = 'not a single test ran: write tests that fail without this change'

function judgeRed(failing: readonly CheckRun[], examined: VerificationInput): Judgement {
  const { baseline } = examined
  const told = failing.map((run) => {
    const before = wasRed(run, baseline) ? ' (it was red before this task too)' : ''
    return `${run.name} ${howItFailed(run)}${before}\n${run.outputTail}`.trimEnd()
  })
  return redJudgement(told.join('\n\n'), [...redBefore(failing, examined), ...rerunNotes(failing)])
}

function lostTests(run: CheckRun, { baseline }: VerificationInput): string | null {
  const before = baseline?.find(({ checkHash }) => checkHash === run.checkHash)
  return before === undefined ? null : lostSinceRed(before, run)
}

function redBefore(runs: readonly CheckRun[], { baseline }: VerificationInput): string[] {
  return runs.filter((run) => wasRed(run, baseline)).map(({ name }) => `${name} was red on the base`)
}

function judgeGreen(examined: VerificationInput, excused: readonly string[]): Judgement {
  const { runs } = examined
  const unneeded = runs
    .filter(({ how }) => how === 'notNeeded')
    .map(({ name }) => `${name}: no changed file to look at`)
  const notes = [...excused, ...unneeded, ...rerunNotes(runs)]
  if (testsRun(runs) > 0) return green(notes)
  if (!needsTests(examined.kind)) return green([...notes, 'no tests ran; nothing was changed that tests could run'])
  if (examined.requireTests === 'not-required') return green([...notes, 'no tests ran; none are required'])
  if (isProvedByFiles(examined))
    return green([...notes, `no tests yet; the task's files are there: ${list(examined.filesExpected)}`])
  const counts = runs.flatMap(({ kind, tests }) => (kind === 'check' && tests !== null ? [tests] : []))
  if (counts.length === 0) return unverifiedJudgement(NO_COUNT, 'operator')
  const skipped = counts.reduce((sum, tests) => sum + tests.skipped, 0)
  return unverifiedJudgement(
    skipped === 0 ? NO_TESTS : `${NO_TESTS} (${skipped} skipped or todo, which proves nothing)`,
    'agent',
  )
}

/** Documents, styles, settings and generated files can be right without any test. */
function needsTests(kind: PatchKind): boolean {
  return kind === 'code' || kind === 'tests' || kind === 'nothing'
}

function passes(runs: readonly CheckRun[]): boolean {
  return runs.some((run) => run.kind === 'check' && isGreen(run))
}

/** Setup and docs tasks are verified by the existing checks, and by the files that they should create. */
function isProvedByFiles({ taskType, filesExpected }: VerificationInput): boolean {
  return (taskType === 'setup' || taskType === 'docs') && filesExpected.length > 0
}

/** A check that had nothing to run on the base either does not block the setup of a new project. */
function isExcused(run: CheckRun, examined: VerificationInput): boolean {
  const before = examined.baseline?.find(({ checkHash }) => checkHash === run.checkHash)
  return isProvedByFiles(examined) && before !== undefined && hadNothingToRun(before) && hadNothingToRun(run)
}

function wasRed(run: CheckRun, baseline: readonly CheckRun[] | null): boolean {
  const before = baseline?.find(({ checkHash }) => checkHash === run.checkHash)
  return before !== undefined && !isGreen(before)
}

function howItFailed(run: CheckRun): string {
  if (run.cached)
    return `was red on this very tree before${failedTests(run)}; running it again proves nothing: change the code or the test`
  if (run.contradiction !== undefined) return `cannot be believed: ${run.contradiction}`
  if (run.rewrote !== undefined && run.rewrote.length > 0)
    return `changed ${list(run.rewrote)}, which Ralph loads into every test run, so its result proves nothing: remove what writes to it`
  const seconds = Math.round(run.durationMs / 1000)
  if (run.how === 'timedOut')
    return `ran into its time limit after ${seconds} s: make it faster, or raise timeout under [check.${run.name}] in ralph.toml`
  if (run.how === 'signalled' || isKilledBelowShell(run))
    return 'was killed by a signal: see whether it crashes or needs more memory'
  if (run.how === 'flooded') return 'printed too much and was stopped: make it print less'
  if (run.how === 'notStarted') return 'could not be started: correct its command in ralph.toml'
  if (run.exit !== 0) return `failed (exit ${run.exit ?? 'unknown'}): mend what it reports`
  if (run.report !== null && !run.report.ok) return `reported errors, mend them: ${list(run.report.errors, '; ')}`
  return `counted ${run.tests?.failed ?? 0} failed and still exited 0: mend the tests, and let its command exit as the runner does`
}

const NAMES_SHOWN_MAX = 5

/** ` (tests 'a' and 'b' failed)`; without names, the number. */
function failedTests({ names, tests }: CheckRun): string {
  const failed = names?.failed ?? []
  const count = Math.max(failed.length, tests?.failed ?? 0)
  if (count === 0) return ''
  const word = count === 1 ? 'test' : 'tests'
  if (failed.length === 0) return ` (${count} ${word} failed)`
  const rest = count - Math.min(failed.length, NAMES_SHOWN_MAX)
  const shown = failed.slice(0, NAMES_SHOWN_MAX).map((name) => `'${name}'`)
  const all = rest === 0 ? shown : [...shown, `${rest} more`]
  return ` (${word} ${all.length === 1 ? all[0] : `${list(all.slice(0, -1))} and ${all.at(-1)}`} failed)`
}

function missingFiles(paths: readonly string[]): string {
  return paths.length === 1
    ? `${paths[0]} is not there: write it, the task expects it`
    : `${list(paths)} are not there: write them, the task expects them`
}

function nothingRuns(runs: readonly CheckRun[]): string {
  const told = runs.map((run) => `${run.name}:\n${run.outputTail}`.trimEnd())
  return [
    `no check has anything to run yet: make at least one of ${list(runs.map(({ name }) => name))} pass`,
    ...told,
  ].join('\n\n')
}

function list(words: readonly string[], separator = ', '): string {
  return words.join(separator)
}

function green(notes: readonly string[]): Judgement {
  return { verdict: { is: 'green' }, notes }
}

function redJudgement(error: string, notes: readonly string[]): Judgement {
  return { verdict: { is: 'red', error }, notes }
}

function unverifiedJudgement(error: string, mendedBy: 'agent' | 'operator'): Judgement {
  const told = mendedBy === 'operator' ? `nothing was verified, since ${error}${NEW_SETTINGS}` : error
  return { verdict: { is: 'unverified', error: told, mendedBy }, notes: [] }
}
