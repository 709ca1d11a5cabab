// May a tree be called verified? Evidence or nothing: no check, no test, or a check that cannot fail proves nothing.
import { type CheckRun, isGreen, testsRun } from './evidence.ts'
import type { Verdict } from './fact.ts'
import type { TaskType } from './task.ts'

export interface Examined {
  readonly runs: readonly CheckRun[]
  readonly requireTests: 'required' | 'not-required'
  readonly taskType: TaskType | null
  /** Files the task was to make, and those of them that the tree does not have. */
  readonly filesExpected: readonly string[]
  readonly filesMissing: readonly string[]
  /** The same checks on the base; null: not asked for, since nothing was red or missing. */
  readonly baseline: readonly CheckRun[] | null
  /** For a project whose base had nothing to run: the checks on a sabotaged copy of the candidate; null: not needed. */
  readonly sabotage: readonly CheckRun[] | null
}

export interface Judgement {
  readonly verdict: Verdict
  readonly notes: readonly string[]
}

export function judge(examined: Examined): Judgement {
  const { runs, filesMissing } = examined
  if (filesMissing.length > 0) return red(missingFiles(filesMissing), [])
  if (!runs.some(({ kind }) => kind === 'check')) return unverified(NO_CHECK, 'operator')
  const failing = runs.filter((run) => !isGreen(run))
  const excused = failing.filter((run) => isExcused(run, examined))
  if (excused.length < failing.length) {
    const unexcused = failing.filter((run) => !excused.includes(run))
    return judgeRed(unexcused, examined)
  }
  if (!runs.some((run) => run.kind === 'check' && isGreen(run))) return red(nothingRuns(excused), [])
  return judgeGreen(
    examined,
    excused.map((run) => `${run.name} cannot run yet: this is a new project`),
  )
}

const NO_CHECK = 'no check is configured: add one to [checks] in ralph.toml, for example unit = "npm test"'
const NO_COUNT =
  'no check said how many tests it ran: use a runner whose output Ralph reads (docs/guide/checks.md), or set ' +
  'require_tests = false under [verify] in ralph.toml'
const NO_TESTS = 'not a single test ran: write tests that fail without this change'

function judgeRed(failing: readonly CheckRun[], { baseline }: Examined): Judgement {
  const told = failing.map((run) => {
    const before = wasRed(run, baseline) ? ' (it was red before this task too)' : ''
    return `${run.name} ${howItFailed(run)}${before}\n${run.outputTail}`.trimEnd()
  })
  const notes = failing.filter((run) => wasRed(run, baseline)).map((run) => `${run.name} was red on the base`)
  return red(told.join('\n\n'), notes)
}

function judgeGreen(examined: Examined, excused: readonly string[]): Judgement {
  const { runs, sabotage } = examined
  if (sabotage !== null && !isNoticed(sabotage, runs)) return survived(runs)
  const unneeded = runs
    .filter(({ how }) => how === 'notNeeded')
    .map(({ name }) => `${name}: no changed file to look at`)
  const notes = [...excused, ...unneeded, ...howProved(examined)]
  if (testsRun(runs) > 0) return green(notes)
  if (examined.requireTests === 'not-required') return green([...notes, 'no tests ran; none are required'])
  if (isProvedByFiles(examined))
    return green([...notes, `no tests yet; the task's files are there: ${list(examined.filesExpected)}`])
  const counts = runs.flatMap(({ kind, tests }) => (kind === 'check' && tests !== null ? [tests] : []))
  if (counts.length === 0) return unverified(NO_COUNT, 'operator')
  const skipped = counts.reduce((sum, tests) => sum + tests.skipped, 0)
  return unverified(
    skipped === 0 ? NO_TESTS : `${NO_TESTS} (${skipped} skipped or todo, which proves nothing)`,
    'agent',
  )
}

function howProved({ baseline, sabotage, requireTests }: Examined): readonly string[] {
  if (sabotage !== null) return ['new project: the checks were shown to fail on a sabotage']
  if (baseline === null || !leavesUnproved(baseline, requireTests)) return []
  return ['new project: the checks were not yet shown to be able to fail']
}

/**
 * Whether a base leaves it open that these checks can tell good from bad: then the candidate needs a sabotage. A check that
 * ran tests there is known to work, and one that failed there is known to be able to.
 */
export function leavesUnproved(baseline: readonly CheckRun[], requireTests: Examined['requireTests']): boolean {
  return !baseline.some((run) => {
    if (run.kind !== 'check') return false
    if (!isGreen(run)) return !hadNothingToRun(run)
    return requireTests === 'not-required' || testsRun([run]) > 0
  })
}

/** Broken code must turn a check red that the verdict rests on: one that ran tests, where any did. */
function isNoticed(sabotage: readonly CheckRun[], runs: readonly CheckRun[]): boolean {
  const restsOnTests = testsRun(runs) > 0
  return sabotage.some((broken) => {
    const isConclusive = broken.how === 'exited' || broken.how === 'signalled' || broken.how === 'timedOut'
    if (broken.kind !== 'check' || isGreen(broken) || !isConclusive) return false
    // Without a counterpart it is the setup, which builds the code and fails before any check can.
    const whole = runs.find(({ checkHash }) => checkHash === broken.checkHash)
    return whole === undefined || (isGreen(whole) && (!restsOnTests || testsRun([whole]) > 0))
  })
}

function survived(runs: readonly CheckRun[]): Judgement {
  const names = list(runs.filter(({ kind }) => kind === 'check').map(({ name }) => name))
  const unnoticed = `no check noticed (${names})`
  return testsRun(runs) > 0
    ? unverified(
        `the changed files were broken on purpose and ${unnoticed}: write tests that use the changed code and fail when it is wrong`,
        'agent',
      )
    : unverified(
        `${unnoticed} that the changed files were broken on purpose: name commands in [checks] of ralph.toml that fail when the code is wrong`,
        'operator',
      )
}

/** Setup and docs tasks are verified by the checks that exist, and by the files they were to make. */
function isProvedByFiles({ taskType, filesExpected }: Examined): boolean {
  return (taskType === 'setup' || taskType === 'docs') && filesExpected.length > 0
}

/** A check that had nothing to run on the base either does not hold up the setup of a new project. */
function isExcused(run: CheckRun, examined: Examined): boolean {
  const before = examined.baseline?.find(({ checkHash }) => checkHash === run.checkHash)
  return isProvedByFiles(examined) && before !== undefined && hadNothingToRun(before) && hadNothingToRun(run)
}

// What tools say where there is no project yet: no manifest, no script, no program, no source file. A test that fails
// because something is missing says other things.
const nothingHere = [
  /Could not read package\.json|can only install with an existing package-lock|Missing script: /,
  /ERR_PNPM_NO_(?:IMPORTER_MANIFEST_FOUND|PKG_MANIFEST|SCRIPT|LOCKFILE)|Couldn't find a (?:package\.json|script named)/,
  /Command "[^"]*" not found|Script not found "|error: No package\.json/,
  /npx canceled due to missing packages|could not determine executable to run/,
  /Cannot find module '[^']*'[^]*requireStack: \[\]/,
  /error TS(?:18003|5058|5057|6053):|This is not the tsc command you are looking for/,
  /couldn't find an eslint\.config|No files matching the pattern/,
  /Could not open requirements file|No `?pyproject\.toml`? found|could not find a pyproject\.toml|: No module named [\w.]+$/m,
  /file or directory not found: |can't open file '[^']*': \[Errno 2\]/,
  /could not find `Cargo\.toml`|cannot find main module|go\.mod file not found|no Go files in|matched no packages/,
  /No rule to make target|no makefile found|Could not locate Gemfile/i,
]

const COMMAND_NOT_FOUND = 127

/** Whether a check found nothing to check: a new project has no tests, and mostly not even a runner. */
export function hadNothingToRun(run: CheckRun): boolean {
  if (run.tests !== null) return run.tests.run + run.tests.failed + run.tests.skipped === 0
  if (isGreen(run)) return false
  if (run.how === 'notStarted') return true
  const said = [...(run.cause ?? []), run.outputTail].join('\n')
  return run.how === 'exited' && (run.exit === COMMAND_NOT_FOUND || nothingHere.some((sentence) => sentence.test(said)))
}

function wasRed(run: CheckRun, baseline: readonly CheckRun[] | null): boolean {
  const before = baseline?.find(({ checkHash }) => checkHash === run.checkHash)
  return before !== undefined && !isGreen(before)
}

function howItFailed(run: CheckRun): string {
  const seconds = Math.round(run.durationMs / 1000)
  if (run.how === 'timedOut')
    return `ran into its time limit after ${seconds} s: make it faster, or raise timeout under [check.${run.name}] in ralph.toml`
  if (run.how === 'signalled') return 'was killed by a signal: see whether it crashes or needs more memory'
  if (run.how === 'flooded') return 'printed too much and was stopped: make it print less'
  if (run.how === 'notStarted') return 'could not be started: correct its command in ralph.toml'
  if (run.exit !== 0) return `failed (exit ${run.exit ?? 'unknown'}): mend what it reports`
  if (run.report !== null && !run.report.ok) return `reported errors, mend them: ${list(run.report.errors, '; ')}`
  return `counted ${run.tests?.failed ?? 0} failed and still exited 0: mend the tests, and let its command exit as the runner does`
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

function red(error: string, notes: readonly string[]): Judgement {
  return { verdict: { is: 'red', error }, notes }
}

const NEW_SETTINGS = "; a build keeps its settings, so 'ralph abort' and then 'ralph build' takes the new ones"

function unverified(error: string, mendedBy: 'agent' | 'operator'): Judgement {
  const told = mendedBy === 'operator' ? `nothing was verified, since ${error}${NEW_SETTINGS}` : error
  return { verdict: { is: 'unverified', error: told, mendedBy }, notes: [] }
}
