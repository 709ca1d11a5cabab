// Judges a task that was reported done outside a build by the checks on HEAD. There is no patch to examine, so this is
// less than the evidence of a build: green checks, tests where behaviour is claimed, and the expected files.
import { type CheckRun, isGreen, testsRun } from '../evidence/evidence.ts'
import type { ReportFact } from '../fact/fact.ts'
import type { BuildId, CommitId, Instant, TaskId } from '../values/id.ts'
import type { TaskClaim } from '../task/claim.ts'
import { isReported } from '../task/reported.ts'
import { reopenTask, type Task } from '../task/task.ts'

export interface ReportedTask {
  readonly taskId: TaskId
  readonly claim: TaskClaim
  readonly commit: CommitId
  /** The checks on the tree of this commit, or the setup alone where it failed. */
  readonly runs: readonly CheckRun[]
  /** The commit that the report names, where it is not part of this one. */
  readonly elsewhere: string | null
  /** The expected files that the tree lacks. */
  readonly unmet: readonly string[]
  readonly requireTests: 'required' | 'not-required'
}

export function judgeReport(reported: ReportedTask): ReportFact {
  const { taskId, commit, runs } = reported
  const fault = faultOf(reported)
  if (fault === null) return { type: 'reportVerified', taskId, commit, checks: runs.map(greenText).join(', ') }
  const reason = `it was reported done, and on HEAD (${commit.slice(0, 10)}) ${fault}`
  return { type: 'reportRefused', taskId, commit, reason }
}

function faultOf({ runs, unmet, elsewhere, claim, requireTests }: ReportedTask): string | null {
  if (elsewhere !== null) return `there is no ${elsewhere}, the commit that was named with it: merge it`
  if (unmet.length > 0) return `${unmet.join(', ')} ${unmet.length === 1 ? 'is' : 'are'} missing`
  const red = runs.filter((run) => !isGreen(run))
  if (red.length > 0) return red.map((run) => `${run.name} is red\n${run.outputTail}`.trimEnd()).join('\n\n')
  if (!runs.some(({ kind }) => kind === 'check')) return 'no check is configured, so nothing can be verified'
  if (claim.claim === 'behaviour' && requireTests === 'required' && testsRun(runs) === 0) return 'not a single test ran'
  return null
}

/** `unit green (12 tests)` */
function greenText({ name, tests }: CheckRun): string {
  const count = tests === null ? '' : ` (${tests.run} ${tests.run === 1 ? 'test' : 'tests'})`
  return `${name} green${count}`
}

/** `build`: works on the task where it is open again; null: none does. */
export function afterReport(task: Task, fact: ReportFact, build: BuildId | null, now: Instant): Task {
  if (!isReported(task) || task.reportedDone === null) return task
  if (fact.type === 'reportRefused')
    return { ...reopenTask(task, fact.reason, now), build: build ?? task.build, result: null }
  const { commit, checks } = fact
  return { ...task, reportedDone: { ...task.reportedDone, verified: { commit, checks } }, updatedAt: now }
}
