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
  if (filesMissing.length > 0) return red(`missing: ${filesMissing.join(', ')} (expected by the task)`, [])
  if (!runs.some((run) => run.kind === 'check')) return unverified(NO_CHECK, 'operator')
  const failing = runs.filter((run) => !isGreen(run) && !isExcused(run, examined))
  if (failing.length > 0) return judgeRed(failing, examined)
  const excused = runs.filter((run) => !isGreen(run)).map((run) => `${run.name} cannot run yet: this is a new project`)
  return judgeGreen(examined, excused)
}

const NO_CHECK = 'no check is configured: add one to [checks] in ralph.toml, for example unit = "npm test"'
const NO_COUNT =
  'no check said how many tests it ran: use a runner whose output Ralph reads (docs/guide/checks.md), or set ' +
  'require_tests = false under [verify] in ralph.toml'
const NO_TESTS = 'not a single test ran: write tests that fail without this change'

function judgeRed(failing: readonly CheckRun[], examined: Examined): Judgement {
  const told = failing.map((run) => {
    const before = wasRed(run, examined.baseline) ? ' (it was red before this task too)' : ''
    return `${run.name} ${howItFailed(run)}${before}\n${run.outputTail}`.trimEnd()
  })
  const notes = failing.filter((run) => wasRed(run, examined.baseline)).map((run) => `${run.name} was red on the base`)
  return red(told.join('\n\n'), notes)
}

function judgeGreen(examined: Examined, excused: readonly string[]): Judgement {
  const { runs, sabotage } = examined
  const survived = sabotage?.filter((run) => run.kind === 'check')
  if (survived !== undefined && survived.length > 0 && survived.every(isGreen))
    return unverified('the checks stay green when the new code is broken on purpose: they prove nothing', 'agent')
  const notes = [...excused, ...(sabotage === null ? [] : ['new project: the checks were shown to fail on a sabotage'])]
  if (testsRun(runs) > 0) return { verdict: { is: 'green' }, notes }
  if (examined.requireTests === 'not-required')
    return { verdict: { is: 'green' }, notes: [...notes, 'no tests ran; none are required'] }
  if (isLaidOpen(examined))
    return {
      verdict: { is: 'green' },
      notes: [...notes, `no tests yet: ${examined.filesExpected.join(', ')} are there`],
    }
  const isCounted = runs.some((run) => run.tests !== null)
  return isCounted ? unverified(NO_TESTS, 'agent') : unverified(NO_COUNT, 'operator')
}

/** Setup and docs tasks are verified by the checks that exist, and by the files they were to make. */
function isLaidOpen({ taskType, filesExpected }: Examined): boolean {
  return (taskType === 'setup' || taskType === 'docs') && filesExpected.length > 0
}

/** A check that had nothing to run on the base either does not hold up the setup of a new project. */
function isExcused(run: CheckRun, examined: Examined): boolean {
  const before = examined.baseline?.find((other) => other.checkHash === run.checkHash)
  return (
    isLaidOpen(examined) && before !== undefined && !isGreen(before) && hadNothingToRun(before) && hadNothingToRun(run)
  )
}

/** Whether a check found a project to check: a new one has no tests, and mostly not even a runner. */
export function hadNothingToRun(run: CheckRun): boolean {
  return !isGreen(run) && testsRun([run]) === 0 && (run.tests?.failed ?? 0) === 0
}

function wasRed(run: CheckRun, baseline: readonly CheckRun[] | null): boolean {
  const before = baseline?.find((other) => other.checkHash === run.checkHash)
  return before !== undefined && !isGreen(before)
}

function howItFailed(run: CheckRun): string {
  if (run.how === 'timedOut') return `ran into its time limit after ${Math.round(run.durationMs / 1000)} s`
  if (run.how === 'signalled') return 'was killed by a signal'
  if (run.how === 'flooded') return 'printed too much'
  if (run.how === 'notStarted') return 'could not be started'
  if (run.exit !== 0) return `failed (exit ${run.exit})`
  if (run.report !== null && !run.report.ok) return `reported errors: ${run.report.errors.join('; ')}`
  return `counted ${run.tests?.failed ?? 0} failed tests and still exited 0`
}

function red(error: string, notes: readonly string[]): Judgement {
  return { verdict: { is: 'red', error }, notes }
}

function unverified(error: string, mendedBy: 'agent' | 'operator'): Judgement {
  return { verdict: { is: 'unverified', error, mendedBy }, notes: [] }
}
