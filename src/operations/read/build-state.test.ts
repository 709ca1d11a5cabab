// One build in the words of those who step through it, and of those who know sessions; both fit the contract.
import { describe, expect, it } from 'vitest'
import { sampleReport } from '../../../test/rig/sample-report.ts'
import type { BuildState } from '../../core/builds/build.ts'
import type { Seed } from '../../core/plan/seed.ts'
import { NO_HISTORY } from './build-history.ts'
import { buildStateOf } from './build-state.ts'
import { buildState } from '../contract/build-state.ts'
import { sessionStatus } from '../contract/session-status.ts'
import { sessionStatusOf } from './session-status.ts'

const NOTHING = { history: NO_HISTORY, patch: null }

describe('the state of a build', () => {
  it('has its tasks, reports and last patch, as the contract says', async () => {
    const report = await sampleReport()
    const history = { ...NO_HISTORY, notes: 'as asked', review: null }
    const patch = {
      task: report.tasks[2]?.id ?? ('' as never),
      commit: null,
      folder: null,
      diff: 'diff --git a/x b/x\n',
      files: [{ path: 'x', change: 'added' } as const],
      isWhole: true,
    }
    const state = buildStateOf(report, { history, patch })
    expect(buildState.parse(state)).toEqual(state)
    expect(state).toMatchObject({
      build_id: 'b_1',
      project_id: 'i_1',
      phase: 'verifying',
      current_task_id: 'mail',
      last_checks: { ok: true, unit_ok: true },
      last_validation: null,
      last_review: null,
      last_patch: { task_id: 'pay', touched_files: ['x'], notes: 'not merged yet' },
    })
    expect(state.build_graph?.tasks.map(({ id, status }) => [id, status])).toEqual([
      ['login', 'done'],
      ['logout', 'done'],
      ['pay', 'blocked'],
      ['mail', 'doing'],
      ['docs', 'todo'],
      ['old', 'blocked'],
    ])
  })

  it.for([
    ['running', 'verifying'],
    ['paused', 'verifying'],
    ['aborted', 'aborted'],
    ['failed', 'error'],
    ['complete', 'ready'],
  ] as const)('a build that is %s is %s', async ([state, phase]: readonly [BuildState, string]) => {
    expect(buildStateOf(await sampleReport(state), NOTHING).phase).toBe(phase)
  })

  it.for<[Seed | null, object]>([
    [null, { brief: {}, build_plan: {}, product_doc: {} }],
    [
      { from: 'goal', text: 'a shop' },
      { brief: { goal: 'a shop' }, build_plan: {}, product_doc: {} },
    ],
    [
      { from: 'spec', path: 'SPEC.md', text: 'x' },
      { brief: {}, product_doc: { path: 'SPEC.md', text: 'x' } },
    ],
    [
      { from: 'documents', brief: { a: 1 }, build_plan: {}, product_doc: { b: 2 } },
      { brief: { a: 1 }, product_doc: { b: 2 } },
    ],
  ])('shows what it is planned from: %j', async ([seed, documents]) => {
    const report = await sampleReport()
    expect(buildStateOf({ ...report, frozen: { ...report.frozen, seed } }, NOTHING)).toMatchObject(documents)
  })

  it('has no graph before it is planned, and a diff that is too long is cut and says so', async () => {
    const report = { ...(await sampleReport()), planning: { attempt: 0, isHeld: false } }
    const patch = {
      task: 'a' as never,
      commit: null,
      folder: null,
      diff: 'x'.repeat(2_000_000),
      files: [],
      isWhole: true,
    }
    const state = buildStateOf(report, { ...NOTHING, patch })
    expect(state.build_graph).toBeNull()
    expect([state.last_patch?.diff.length, state.last_patch?.notes]).toEqual([
      1024 * 1024,
      'not merged yet; the diff is longer than 1 MiB and was cut',
    ])
  })
})

describe('the status of a session', () => {
  it('counts what is done and what failed, and names what is current', async () => {
    const status = sessionStatusOf(await sampleReport())
    expect(sessionStatus.parse(status)).toEqual(status)
    expect(status).toMatchObject({
      sessionId: 'b_1',
      ideaId: 'i_1',
      status: 'active',
      progress: { total: 6, completed: 2, failed: 2, current: 'Send mail', currentAttempt: 1 },
      siaInterventions: 1,
      commits: 2,
      completedTasks: ['login', 'logout'],
      failedTasks: ['pay', 'old'],
      currentTaskIndex: 2,
      isDriven: true,
      waiting: [{ taskId: 'pay', taskName: 'Take | payments' }],
    })
    expect(status.tasks.map(({ id, status: card, attempt }) => [id, card, attempt])).toEqual([
      ['login', 'completed', 1],
      ['logout', 'completed', 1],
      ['pay', 'failed', 3],
      ['mail', 'running', 1],
      ['docs', 'pending', 0],
      ['old', 'failed', 0],
    ])
  })

  it('says nothing of old errors once it is complete', async () => {
    const report = await sampleReport('complete')
    const failedOnce = { ...report, build: { ...report.build, lastError: 'unit failed' } }
    expect(sessionStatusOf(failedOnce).lastError).toBeNull()
  })
})
