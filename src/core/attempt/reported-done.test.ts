// A report that a task of a build is done is a claim. It unblocks nothing, and only evidence proves it.
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { apply, firstAttempt } from './attempt.ts'
import { standingOf } from '../builds/build.ts'
import type { AgentCause } from '../fact/fact.ts'
import { agentId, type BuildId, type EvidenceId, taskId, type TreeId } from '../values/id.ts'
import { taskAfter } from './settlement.ts'
import {
  claimTask,
  reportDone,
  markDeleted,
  markFailed,
  isFree,
  newTask,
  releaseTask,
  type Task,
  withdrawTask,
} from '../task/task.ts'

const NOW = 1_000_000
const [ada, loop] = [agentId('ada'), agentId('f00d')]
const result = { commit: 'abc' }
const open: Task = { ...newTask(taskId('x'), { title: 'X' }, [], 1), build: 'b1' as BuildId }
const outside = claimTask(open, ada, 600, NOW)
const inSession = claimTask(open, loop, 60, NOW, 'loop')

describe('the word', () => {
  it('of an agent outside lets go of the lease, and of nothing else', () => {
    expect(reportDone(outside, ada, result, NOW + 5)).toEqual({
      ...outside,
      leaseExpiresAt: NOW + 5,
      reportedDone: { where: 'outside', by: 'ada', result },
      updatedAt: NOW + 5,
    })
  })

  it('of the session of a loop leaves the lease to the loop', () => {
    expect(reportDone(inSession, null, null, NOW + 5)).toEqual({
      ...inSession,
      reportedDone: { where: 'session', by: 'f00d', result: null },
      updatedAt: NOW + 5,
    })
  })

  it('is of the same work when it is said again, also after a loop took it', () => {
    const taken = claimTask(reportDone(outside, ada, null, NOW), loop, 60, NOW, 'loop')
    expect(reportDone(taken, null, result, NOW + 5)).toEqual({
      ...taken,
      reportedDone: { where: 'outside', by: 'ada', result },
      updatedAt: NOW + 5,
    })
  })

  it('is nobody’s but the holder’s and the operator’s', () => {
    expect(refused(() => reportDone(inSession, ada, result, NOW))?.[0]).toBe('NOT_THE_ASSIGNEE')
    expect(refused(() => reportDone(open, null, result, NOW))?.[0]).toBe('TASK_NOT_ACTIVE')
  })
})

describe('what is said to be done', () => {
  const said = reportDone(outside, ada, result, NOW)

  it('is no work for another agent, and for a loop without being a retry', () => {
    expect([isFree(said, NOW), isFree(said, NOW, 'loop')]).toEqual([false, true])
    expect(refused(() => claimTask(said, ada, 600, NOW))?.[0]).toBe('TASK_NOT_ELIGIBLE')
    expect(claimTask(said, loop, 60, NOW, 'loop')).toMatchObject({
      retryCount: 0,
      reportedDone: said.reportedDone,
      fence: 2,
    })
  })

  it('is kept where a loop gives it back; what a session said goes with the session', () => {
    expect(releaseTask(said, NOW).reportedDone).toEqual(said.reportedDone)
    expect(releaseTask(reportDone(inSession, null, null, NOW), NOW).reportedDone).toBeNull()
  })

  it('by a session is forgotten by who takes the task over, agent or loop', () => {
    const lost = { ...reportDone(inSession, null, null, NOW), leaseExpiresAt: NOW }
    expect([claimTask(lost, ada, 600, NOW), claimTask(lost, ada, 600, NOW, 'loop')]).toMatchObject([
      { reportedDone: null, retryCount: 1, heldBy: 'agent' },
      { reportedDone: null, retryCount: 1, heldBy: 'loop' },
    ])
  })

  it.each([
    ['fail', markFailed(said, ada, 'no', NOW)],
    ['delete', markDeleted(said, NOW)],
  ])('is over with %s', (_, task) => {
    expect([task.reportedDone, task.heldBy]).toEqual([null, null])
  })

  it('is shown as being verified', () => {
    const attempt = firstAttempt(said, 'b1' as BuildId, { attempts: 3, interventions: 3, iterations: 10 })
    expect([standingOf(said, null, 'finished').phase, standingOf(said, attempt, 'finished').phase]).toEqual([
      'verifying',
      'verifying',
    ])
    expect(standingOf(outside, attempt, 'finished').phase).toBe('implementing')
  })
})

describe('deleting at somebody’s word', () => {
  it.each<[name: string, task: Task, code: string | null]>([
    ['what a loop works on', inSession, 'TASK_HELD'],
    ['what a loop has lost', { ...inSession, leaseExpiresAt: NOW }, null],
    ['what an agent works on', outside, null],
    ['what is open', open, null],
  ])('%s', (_, task, code) => {
    expect(refused(() => withdrawTask(task, NOW))?.[0] ?? null).toBe(code)
  })
})

describe('what becomes of the row', () => {
  const tree = 't1' as TreeId
  const about = { taskId: open.id, attempt: 1 }
  const complete: AgentCause = {
    type: 'iterationDone',
    ...about,
    iteration: 1,
    signal: { kind: 'TASK_COMPLETE' },
    tree,
    error: null,
  }
  const red: AgentCause = {
    type: 'verified',
    ...about,
    tree,
    verdict: { is: 'red', error: 'unit failed' },
    evidence: 'e1' as EvidenceId,
  }
  const first = firstAttempt(open, 'b1' as BuildId, { attempts: 3, interventions: 3, iterations: 10 })
  const taken = claimTask(reportDone(outside, ada, result, NOW), loop, 60, NOW, 'loop')
  const verifying = apply(first, complete)

  it('work from outside is on its way until it is judged', () => {
    expect(taskAfter(taken, verifying, complete, 'held', NOW)).toEqual(taken)
  })

  it('work from outside that is red is opened again, with the reason', () => {
    expect(taskAfter(taken, apply(verifying, red), red, 'held', NOW + 7)).toEqual({
      ...taken,
      status: 'open',
      assignee: null,
      leaseExpiresAt: null,
      heldBy: null,
      reportedDone: null,
      fence: 3,
      retryCount: 1,
      failReason: 'unit failed',
      updatedAt: NOW + 7,
    })
  })

  it('work that could not be taken is opened again, with the reason', () => {
    const fact: AgentCause = { type: 'interrupted', taskId: open.id, reason: 'name a commit' }
    expect(taskAfter(taken, apply(first, fact), fact, 'held', NOW)).toMatchObject({
      status: 'open',
      failReason: 'name a commit',
      reportedDone: null,
    })
  })

  it('what a session said is in the fact, and the loop goes on', () => {
    const said = reportDone(inSession, null, null, NOW)
    expect(taskAfter(said, verifying, complete, 'held', NOW)).toEqual(inSession)
    expect(taskAfter(said, apply(verifying, red), red, 'held', NOW)).toEqual(inSession)
  })
})
