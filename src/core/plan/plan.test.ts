import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { taskId } from '../values/id.ts'
import { blockers, diffPlan, planColumn, type PlanCounts, type PlanItem, renderCounts, renderDiff } from './plan.ts'
import { newTask, type Task, TASK_STATUSES, type TaskStatus } from '../task/task.ts'

const NOW = 5_000

const task = (id: string, rest: Partial<Omit<Task, 'id' | 'deps'>> = {}, deps: string[] = []): Task => ({
  ...newTask(taskId(id), { title: `Title ${id}` }, deps.map(taskId), 1_000),
  ...rest,
})

/** Leaves the dependencies out unless `deps` are given. */
const item = (id: string, text: Partial<PlanItem['text']> = {}, deps?: string[]): PlanItem => ({
  id: taskId(id),
  text: { title: `Title ${id}`, ...text },
  ...(deps === undefined ? {} : { deps: deps.map(taskId) }),
  line: 7,
})

describe('planColumn', () => {
  const columns: Record<TaskStatus, [finished: keyof PlanCounts, unfinished: keyof PlanCounts]> = {
    open: ['open', 'blocked'],
    active: ['active', 'active'],
    waiting: ['blocked', 'blocked'],
    done: ['done', 'done'],
    skipped: ['deleted', 'deleted'],
    split: ['deleted', 'deleted'],
    deleted: ['deleted', 'deleted'],
  }

  it.each(TASK_STATUSES)('%s', (status) => {
    expect([planColumn({ status }, 'finished'), planColumn({ status }, 'unfinished')]).toEqual(columns[status])
  })
})

describe('blockers', () => {
  const finished = new Set<TaskStatus>(['done', 'skipped', 'split', 'deleted'])

  it.each(TASK_STATUSES)('%s', (status) => {
    const waits = { deps: [taskId('first'), taskId('second')] }
    const statusOf = (id: string): TaskStatus => (id === 'first' ? 'done' : status)
    expect(blockers(waits, statusOf)).toBe(finished.has(status) ? 'finished' : 'unfinished')
  })

  it('are finished where there are none', () => {
    expect(blockers({ deps: [] }, () => 'open')).toBe('finished')
  })
})

describe('rendering', () => {
  it('counts', () => {
    expect(renderCounts({ open: 1, active: 2, done: 3, blocked: 4, deleted: 5 })).toBe(
      '1 open, 2 active, 3 done, 4 blocked, 5 deleted',
    )
  })

  it('a difference', () => {
    const [a, b, c] = [task('a'), task('b'), task('c')]
    expect(renderDiff({ inserted: [a], updated: [a, b], deleted: [a, b, c], skippedDone: 4 })).toBe(
      'inserted: 1, updated: 2, deleted: 3, skipped (done): 4',
    )
  })
})

describe('diffPlan', () => {
  it('inserts what is new', () => {
    const wanted = [item('a', { spec: 's', priority: 0 }, ['b']), item('b')]
    expect(diffPlan([], wanted, NOW)).toEqual({
      inserted: [
        newTask(taskId('a'), { title: 'Title a', spec: 's', priority: 0 }, [taskId('b')], NOW),
        newTask(taskId('b'), { title: 'Title b' }, [], NOW),
      ],
      updated: [],
      deleted: [],
      skippedDone: 0,
    })
  })

  it('updates what is said otherwise and keeps what is not spoken of', () => {
    const held = task('a', { status: 'active', fence: 3, category: 'ui', retryCount: 2 }, ['b'])
    const diff = diffPlan([held, task('b')], [item('a', { title: 'New' }), item('b')], NOW)
    expect(diff).toEqual({
      inserted: [],
      updated: [{ ...held, title: 'New', updatedAt: NOW }],
      deleted: [],
      skippedDone: 0,
    })
  })

  it('takes dependencies over, each once, also where nothing else changed', () => {
    const diff = diffPlan([task('a', {}, ['b']), task('b'), task('c')], [item('a', {}, ['c', 'c'])], NOW)
    expect(diff.updated).toEqual([{ ...task('a', {}, ['c']), updatedAt: NOW }])
    expect(diffPlan([task('a', {}, ['b']), task('b')], [item('a', {}, [])], NOW).updated).toEqual([
      { ...task('a'), updatedAt: NOW },
    ])
  })

  it('deletes what its spec no longer lists, and takes it out of the hands that hold it', () => {
    const held = task('gone', { spec: 's', status: 'active', fence: 3, leaseExpiresAt: 9_000 })
    const diff = diffPlan([held], [item('a', { spec: 's' })], NOW)
    expect(diff.deleted).toEqual([
      { ...held, status: 'deleted', fence: 4, leaseExpiresAt: null, assignee: null, updatedAt: NOW },
    ])
  })

  it.each<[name: string, kept: Task]>([
    ['of another spec', task('kept', { spec: 'other' })],
    ['without a spec', task('kept')],
    ['done', task('kept', { spec: 's', status: 'done' })],
    ['skipped', task('kept', { spec: 's', status: 'skipped' })],
    ['split', task('kept', { spec: 's', status: 'split' })],
    ['deleted before', task('kept', { spec: 's', status: 'deleted' })],
  ])('leaves an unlisted task alone that is %s', (_, kept) => {
    const diff = diffPlan([kept], [item('a', { spec: 's' })], NOW)
    expect([diff.updated, diff.deleted]).toEqual([[], []])
  })

  it('deletes nothing where the plan names no spec', () => {
    expect(diffPlan([task('b', { spec: 's' }), task('c')], [item('a')], NOW).deleted).toEqual([])
  })

  it('leaves a done task as it is and counts it', () => {
    const diff = diffPlan([task('a', { status: 'done' })], [item('a', { title: 'New' })], NOW)
    expect(diff).toEqual({ inserted: [], updated: [], deleted: [], skippedDone: 1 })
  })

  it('makes a deleted task anew, behind the fence of whoever held it', () => {
    const was = task('a', { status: 'deleted', fence: 4, retryCount: 2, failReason: 'x' })
    expect(diffPlan([was], [item('a')], NOW).inserted).toEqual([
      { ...newTask(taskId('a'), { title: 'Title a' }, [], NOW), fence: 5 },
    ])
  })
})

const line = (problem: string) => ['PLAN_LINE_BAD', `line 7: ${problem}; nothing was written`]
const cycle = (path: string) => ['DEPENDENCY_CYCLE', `this would make a dependency cycle: ${path}`]

describe('a plan is refused', () => {
  it.each<[name: string, current: Task[], wanted: PlanItem[], refusal: unknown]>([
    ['for a missing title', [], [item('a', { title: ' ' })], line('missing task title')],
    ['for an updated title that is missing', [task('a')], [item('a', { title: '' })], line('missing task title')],
    ['for a priority', [], [item('a', { priority: -1 })], line('-p (priority) must be a non-negative integer')],
    ['for an unknown dependency', [], [item('a', {}, ['zz'])], line("dependency 'zz' not found")],
    [
      'for a dependency that was deleted',
      [task('b', { status: 'deleted' })],
      [item('a', {}, ['b'])],
      line("dependency 'b' not found"),
    ],
    [
      'for a dependency that it deletes itself',
      [task('b', { spec: 's' })],
      [item('a', { spec: 's' }, ['b'])],
      line("dependency 'b' not found"),
    ],
    ['for a task that waits for itself', [], [item('a', {}, ['a'])], cycle('a -> a')],
    ['for a cycle of its own', [], [item('a', {}, ['b']), item('b', {}, ['a'])], cycle('a -> b -> a')],
    [
      'for a cycle through a task it does not list',
      [task('a'), task('b', {}, ['a'])],
      [item('a', {}, ['b'])],
      cycle('a -> b -> a'),
    ],
    [
      'for a cycle through a done task, which a revert may open again',
      [task('a'), task('b', { status: 'done' }, ['a'])],
      [item('a', {}, ['b'])],
      cycle('a -> b -> a'),
    ],
  ])('%s', (_, current, wanted, refusal) => {
    expect(refused(() => diffPlan(current, wanted, NOW))).toEqual(refusal)
  })

  it('but not for a way through a deleted task, which holds nobody up', () => {
    const current = [task('z', {}, ['x']), task('x', { status: 'deleted' }, ['y']), task('y')]
    expect(diffPlan(current, [item('y', {}, ['z'])], NOW).updated.map(({ id, deps }) => [id, deps])).toEqual([
      ['y', ['z']],
    ])
  })
})
