import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../evidence/evidence.ts'
import { DEFAULT_CLAIM, type TaskClaim } from '../task/claim.ts'
import { isReported } from '../task/reported.ts'
import { claimTask, markCompleted, newTask, type Task } from '../task/task.ts'
import { agentId, type BuildId, type CommitId, taskId } from '../values/id.ts'
import { afterReport, judgeReport, type ReportedTask } from './reported-on-head.ts'

const commit = '0123456789abcdef' as CommitId
const tests = (run: number, failed = 0) => ({ source: 'vitest', run, failed, skipped: 0 }) as const
const checkRun = (more: Partial<CheckRun>): CheckRun => ({
  name: 'unit',
  kind: 'check',
  argv: ['npm', 'test'],
  checkHash: 'h',
  how: 'exited',
  exit: 0,
  durationMs: 1,
  tests: null,
  report: null,
  outputTail: '',
  outputDigest: 'sha256:0',
  names: null,
  cached: false,
  ...more,
})
const green = checkRun({ name: 'unit', exit: 0, tests: tests(2) })
const lint = checkRun({ name: 'lint', exit: 0, tests: null })
const red = checkRun({ name: 'unit', exit: 1, tests: tests(2, 1), outputTail: 'not ok 1' })
const docs: TaskClaim = { claim: 'none', from: 'type', word: 'docs' }

const judged = (more: Partial<ReportedTask>) =>
  judgeReport({
    taskId: taskId('x'),
    claim: DEFAULT_CLAIM,
    commit,
    runs: [lint, green],
    elsewhere: null,
    unmet: [],
    requireTests: 'required',
    ...more,
  })

describe('a reported task is verified', () => {
  it.each<[name: string, more: Partial<ReportedTask>, checks: string]>([
    ['by green checks', {}, 'lint green, unit green (2 tests)'],
    ['by one test', { runs: [checkRun({ name: 'unit', exit: 0, tests: tests(1) })] }, 'unit green (1 test)'],
    ['without tests, where it claims no behaviour', { runs: [lint], claim: docs }, 'lint green'],
    ['without tests, where none are required', { runs: [lint], requireTests: 'not-required' }, 'lint green'],
  ])('%s', (_, more, checks) => {
    expect(judged(more)).toEqual({ type: 'reportVerified', taskId: 'x', commit, checks })
  })
})

describe('a reported task is opened again', () => {
  it.each<[name: string, more: Partial<ReportedTask>, fault: string]>([
    ['where a check is red', { runs: [lint, red] }, 'unit is red\nnot ok 1'],
    ['where a file is missing', { unmet: ['a.ts'] }, 'a.ts is missing'],
    ['where files are missing', { unmet: ['a.ts', 'b.ts'], runs: [red] }, 'a.ts, b.ts are missing'],
    [
      'where its commit is elsewhere',
      { elsewhere: 'abc' },
      'there is no abc, the commit that was named with it: merge it',
    ],
    ['where no check is there', { runs: [] }, 'no check is configured, so nothing can be verified'],
    ['where no test ran', { runs: [lint] }, 'not a single test ran'],
  ])('%s', (_, more, fault) => {
    const reason = `it was reported done, and on HEAD (0123456789) ${fault}`
    expect(judged(more)).toEqual({ type: 'reportRefused', taskId: 'x', commit, reason })
  })
})

describe('the task', () => {
  const [ada, result] = [agentId('ada'), { commit: 'abc' }]
  const open = newTask(taskId('x'), { title: 'X' }, [], 1)
  const reported = markCompleted(claimTask(open, ada, 600, 2), ada, result, 3)
  const refusal = judged({ runs: [red] })
  const build = 'b1' as BuildId

  it('is reported until it is verified or open again', () => {
    const verified = afterReport(reported, judged({}), build, 4)
    const refusedOne = afterReport(reported, refusal, build, 4)
    expect([open, reported, verified, refusedOne].map(isReported)).toEqual([false, true, false, false])
    expect(isReported({ ...reported, reportedDone: null })).toBe(false)
  })

  it('keeps its result and who reported it where it is verified', () => {
    expect(afterReport(reported, judged({}), build, 4)).toEqual({
      ...reported,
      reportedDone: {
        where: 'outside',
        by: 'ada',
        result,
        verified: { commit, checks: 'lint green, unit green (2 tests)' },
      },
      updatedAt: 4,
    })
  })

  it('is the build’s, with the reason, where it is open again', () => {
    const again: Partial<Task> = { status: 'open', build, result: null, reportedDone: null, retryCount: 1 }
    expect(afterReport(reported, refusal, build, 4)).toMatchObject({
      ...again,
      failReason: 'it was reported done, and on HEAD (0123456789) unit is red\nnot ok 1',
      fence: reported.fence + 1,
    })
    expect(afterReport(reported, refusal, null, 4)).toMatchObject({ ...again, build: null })
  })

  it('that is not reported, or not any more, stays as it is', () => {
    const verified = afterReport(reported, judged({}), build, 4)
    for (const task of [open, verified, { ...reported, reportedDone: null }])
      expect(afterReport(task, refusal, build, 5)).toBe(task)
  })
})
