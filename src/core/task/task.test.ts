// The rules by which the holder of a task changes.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { agentId, taskId } from '../values/id.ts'
import {
  claimTask,
  markCompleted,
  markDeleted,
  markFailed,
  isFree,
  isSettled,
  newTask,
  releaseTask,
  renewLease,
  rewriteTask,
  type Task,
  TASK_STATUSES,
  type TaskStatus,
} from './task.ts'

const NOW = 1_000_000
const ada = agentId('ada')
const bob = agentId('bob')
const result = { commit: 'abc' }

const open = newTask(taskId('x'), { title: 'X' }, [], 1)
const as = (status: TaskStatus, rest: Partial<Task> = {}): Task => ({ ...open, status, ...rest })
const held: Task = as('active', {
  assignee: ada,
  leaseExpiresAt: NOW + 1,
  heldBy: 'agent',
  fence: 4,
  retryCount: 2,
})

describe('claiming', () => {
  it('takes an open task for the length of the lease', () => {
    expect(claimTask(as('open', { fence: 4, retryCount: 2 }), bob, 600, NOW)).toEqual({
      ...open,
      status: 'active',
      assignee: 'bob',
      leaseExpiresAt: NOW + 600_000,
      heldBy: 'agent',
      fence: 5,
      retryCount: 2,
      updatedAt: NOW,
    })
  })

  it('takes over where the lease ran out, and counts the retry', () => {
    const lost = { ...held, leaseExpiresAt: NOW }
    expect(claimTask(lost, bob, 600, NOW)).toEqual({
      ...lost,
      assignee: 'bob',
      leaseExpiresAt: NOW + 600_000,
      fence: 5,
      retryCount: 3,
      updatedAt: NOW,
    })
  })

  it.each<[name: string, task: Task, free: boolean]>([
    ['a lease that ends in 1 ms', { ...held, leaseExpiresAt: NOW + 1 }, false],
    ['a lease that ends now', { ...held, leaseExpiresAt: NOW }, true],
    ['a lease that ended 1 ms ago', { ...held, leaseExpiresAt: NOW - 1 }, true],
    ['no lease at all', { ...held, leaseExpiresAt: null }, true],
    ['a lease of 0 seconds', claimTask(open, ada, 0, NOW), true],
    ['a lease of 1 second', claimTask(open, ada, 1, NOW), false],
    ['a lease of its own that runs', claimTask(open, bob, 600, NOW), false],
    ['a lease of 600 s, the clock set back 600 s', claimTask(open, ada, 600, NOW + 600_000), false],
    ['a lease of 600 s, the clock set back 1 ms more', claimTask(open, ada, 600, NOW + 600_001), true],
    ...TASK_STATUSES.filter((status) => status !== 'active').map((status): [string, Task, boolean] => [
      status,
      as(status),
      status === 'open',
    ]),
  ])('%s', (_, task, free) => {
    expect(isFree(task, NOW)).toBe(free)
    expect(refused(() => claimTask(task, bob, 600, NOW))).toEqual(
      free ? null : ['TASK_NOT_ELIGIBLE', 'Task not eligible'],
    )
  })
})

describe('renewing', () => {
  it('counts the new lease from now and keeps the fence', () => {
    expect(renewLease(held, ada, 60, NOW)).toEqual({ ...held, leaseExpiresAt: NOW + 60_000, updatedAt: NOW })
  })

  it('is still the assignee’s where the lease ran out and nobody took over', () => {
    expect(renewLease({ ...held, leaseExpiresAt: 0 }, ada, 60, NOW).leaseExpiresAt).toBe(NOW + 60_000)
  })
})

describe('ending', () => {
  const free = { assignee: null, leaseExpiresAt: null, heldBy: null, fence: 5, updatedAt: NOW }

  it.each<[name: string, after: Task, changed: Partial<Task>]>([
    [
      'complete',
      markCompleted(held, ada, result, NOW),
      { status: 'done', result, reportedDone: { where: 'outside', by: ada, result } },
    ],
    [
      'complete without a result',
      markCompleted(held, ada, null, NOW),
      { status: 'done', result: null, reportedDone: { where: 'outside', by: ada, result: null } },
    ],
    [
      'complete by the operator',
      markCompleted(held, null, result, NOW),
      { status: 'done', result, reportedDone: { where: 'outside', by: ada, result } },
    ],
    ['fail', markFailed(held, ada, 'no key', NOW), { status: 'open', failReason: 'no key', retryCount: 3 }],
    ['fail without a reason', markFailed(held, ada, null, NOW), { status: 'open', failReason: null, retryCount: 3 }],
    [
      'fail by the operator',
      markFailed(held, null, 'no key', NOW),
      { status: 'open', failReason: 'no key', retryCount: 3 },
    ],
    ['delete', markDeleted(held, NOW), { status: 'deleted' }],
    ['release', releaseTask(held, NOW), {}],
  ])('%s', (_, after, changed) => {
    expect(after).toEqual({ ...held, ...free, ...changed })
  })
})

describe('refusals', () => {
  const verbs: [name: string, verb: (task: Task) => Task][] = [
    ['renew', (task) => renewLease(task, bob, 600, NOW)],
    ['complete', (task) => markCompleted(task, bob, result, NOW)],
    ['fail', (task) => markFailed(task, bob, 'x', NOW)],
  ]

  it.each(verbs)('%s is the assignee’s', (_, verb) => {
    expect(refused(() => verb(held))).toEqual(['NOT_THE_ASSIGNEE', "agent 'bob' is not the assignee of task 'x'"])
  })

  it.each(
    verbs.flatMap(([name, verb]) =>
      TASK_STATUSES.filter((status) => status !== 'active').map((status) => ({ name, verb, status })),
    ),
  )('$name a task that is $status', ({ verb, status }) => {
    expect(refused(() => verb(as(status, { assignee: bob })))).toEqual([
      'TASK_NOT_ACTIVE',
      `task 'x' is not active (status: ${status})`,
    ])
  })

  it('also to the operator, where nobody is at work', () => {
    const idle = ['TASK_NOT_ACTIVE', "task 'x' is not active (status: open)"]
    expect([
      refused(() => markCompleted(open, null, null, NOW)),
      refused(() => markFailed(open, null, null, NOW)),
    ]).toEqual([idle, idle])
  })

  it('done tasks are immutable, and deleted ones are not updated', () => {
    expect([
      refused(() => rewriteTask(as('done'), { title: 'Y' }, NOW)),
      refused(() => markDeleted(as('done'), NOW)),
      refused(() => rewriteTask(as('deleted'), { title: 'Y' }, NOW)),
    ]).toEqual([
      ['TASK_DONE', "task 'x' is done and cannot be updated"],
      ['TASK_DONE', "task 'x' is done and cannot be deleted"],
      ['TASK_DELETED', "task 'x' is deleted and cannot be updated"],
    ])
  })

  it('deleting twice is no error and changes nothing', () => {
    expect(markDeleted(as('deleted'), NOW)).toEqual(as('deleted'))
  })
})

describe('isSettled', () => {
  it.each(TASK_STATUSES)('%s', (status) => {
    const settled: readonly string[] = ['done', 'skipped', 'split', 'deleted']
    expect(isSettled(status)).toBe(settled.includes(status))
  })
})

describe('the fencing number', () => {
  const verbs: ((task: Task, at: number) => Task)[] = [
    (task, at) => claimTask(task, ada, 2, at),
    (task, at) => claimTask(task, bob, 0, at),
    (task, at) => renewLease(task, ada, 1, at),
    (task, at) => markFailed(task, null, 'x', at),
    (task, at) => markCompleted(task, ada, null, at),
    (task, at) => markDeleted(task, at),
    (task, at) => rewriteTask(task, { title: 'Y' }, at),
  ]

  it('grows by one whenever the task changes hands, and never else', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(verbs.length - 1), { maxLength: 40 }), (path) => {
        path.reduce((task, pick, step) => {
          const after = attempted(task, () => verbs[pick]?.(task, step * 1_000) ?? task)
          const changedHands = after.status !== task.status || (pick < 2 && after !== task)
          expect(after.fence - task.fence).toBe(changedHands ? 1 : 0)
          return after
        }, open)
      }),
    )
  })
})

/** The unchanged task where the transition is refused. */
function attempted(task: Task, verb: () => Task): Task {
  let after = task
  refused(() => (after = verb()))
  return after
}
