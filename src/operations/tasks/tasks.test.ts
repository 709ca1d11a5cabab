import { describe, expect, it } from 'vitest'
import type { Build } from '../../core/builds/build.ts'
import { agentId, type BuildId, type IdeaId, taskId } from '../../core/values/id.ts'
import type { TaskText } from '../../core/task/task.ts'
import { blockersOf, peekTasks, showTask } from '../../engine/session/task-reading.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import * as tasks from './tasks.ts'

const ann = agentId('ann')
const bob = agentId('bob')
const a = taskId('a')
const b = taskId('b')
const c = taskId('c')

async function clocked() {
  const clock = { now: 1_800_000_000_000 }
  const { store } = await madeStore(() => clock.now)
  const context: tasks.TaskStoreContext = { store, scope: { repo: '.', branch: 'main' }, now: () => clock.now }
  return { context, clock }
}

const make = (
  context: tasks.TaskStoreContext,
  id: string,
  text: Partial<TaskText> = {},
  deps: readonly string[] = [],
) => tasks.createTask(context, taskId(id), { title: id, ...text }, deps.map(taskId))

const take = (context: tasks.TaskStoreContext, id: string, leaseSeconds = 60) =>
  tasks.claimTask(context, { id: taskId(id), agent: ann, leaseSeconds })

const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

describe('peekTasks', () => {
  it('shows claimable tasks up to the limit, then every active one once', async () => {
    const { context, clock } = await clocked()
    for (const id of ['held', 'lapsed', 'late', 'free', 'more']) await make(context, id)
    await make(context, 'blocked', {}, ['free'])
    await take(context, 'held', 600)
    await take(context, 'lapsed', 1)
    await take(context, 'late', 1)
    clock.now += 1_000
    expect(ids(await peekTasks(context, 1))).toEqual(['lapsed', 'held', 'late'])
    expect(ids(await peekTasks(context, 9))).toEqual(['lapsed', 'late', 'free', 'more', 'held'])
  })
})

describe('claimTask', () => {
  it('refuses with the one sentence where the task is named, and the other where it is not', async () => {
    const { context } = await clocked()
    await expect(tasks.claimTask(context, { agent: ann, leaseSeconds: 1 })).rejects.toMatchObject({
      code: 'NO_ELIGIBLE_TASKS',
    })
    await expect(take(context, 'a')).rejects.toMatchObject({ code: 'TASK_NOT_ELIGIBLE' })
  })
})

describe('updateTask', () => {
  it.each([
    ['open', { status: 'open', retryCount: 1, assignee: null, title: 'New' }],
    ['done', { status: 'done', retryCount: 0, assignee: null, title: 'New' }],
    ['deleted', { status: 'deleted', retryCount: 0, assignee: null, title: 'New' }],
  ] as const)('moves an active task to %s with its new text, in one step', async (to, after) => {
    const { context } = await clocked()
    await make(context, 'a')
    await take(context, 'a')
    expect(await tasks.updateTask(context, a, { title: 'New' }, { to, agent: ann })).toMatchObject(after)
    expect(await showTask(context, a)).toMatchObject(after)
  })

  it('writes nothing where the move is refused', async () => {
    const { context } = await clocked()
    await make(context, 'a')
    await take(context, 'a')
    const before = await showTask(context, a)
    for (const to of ['open', 'done'] as const)
      await expect(tasks.updateTask(context, a, { title: 'New' }, { to, agent: bob })).rejects.toMatchObject({
        code: 'NOT_THE_ASSIGNEE',
      })
    expect(await showTask(context, a)).toEqual(before)
  })

  it('takes the status a task has for no move', async () => {
    const { context } = await clocked()
    await make(context, 'a')
    expect(await tasks.updateTask(context, a, { priority: 0 }, { to: 'open', agent: null })).toMatchObject({
      priority: 0,
      retryCount: 0,
    })
  })
})

describe('deleteTasks', () => {
  it('refuses done ones before it touches any', async () => {
    const { context } = await clocked()
    await make(context, 'a')
    expect(() => tasks.deleteTasks(context, ['open', 'done'])).toThrow('done tasks cannot be deleted')
    expect(await showTask(context, a)).toMatchObject({ status: 'open' })
    expect(ids(await tasks.deleteTasks(context, ['open', 'active']))).toEqual(['a'])
  })
})

describe('blockersOf', () => {
  it('keeps the order of the task', async () => {
    const { context } = await clocked()
    for (const id of ['a', 'b']) await make(context, id)
    const task = await make(context, 'c', {}, ['b', 'a'])
    expect(ids(await blockersOf(context, task))).toEqual([b, a])
  })
})

describe('taskTree', () => {
  it('shows a task under each that waits for it', async () => {
    const { context } = await clocked()
    await make(context, 'a')
    await make(context, 'b', {}, ['a'])
    await make(context, 'c', {}, ['a', 'b'])
    const { lines, whole } = tasks.taskTree(await context.store.tasks.list(context.scope, {}), c)
    expect(lines.map(({ task, depth }) => [task.id, depth])).toEqual([
      ['c', 0],
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ])
    expect(whole).toBe(true)
  })

  it.each([
    [9_999, true],
    [10_000, false],
  ])('with %i dependencies is whole: %s', async (width, whole) => {
    const { context } = await clocked()
    const leaves = Array.from({ length: width }, (_, n) => ({ id: taskId(`t${n}`), text: { title: 'T' }, line: n }))
    const deps = leaves.map(({ id }) => id)
    await context.store.tasks.syncPlan(context.scope, [...leaves, { id: a, text: { title: 'A' }, deps, line: 0 }])
    const tree = tasks.taskTree(await context.store.tasks.list(context.scope, {}), a)
    expect([tree.lines.length, tree.whole]).toEqual([10_000, whole])
  })

  it('refuses a root that is not there', () => {
    expect(() => tasks.taskTree([], a)).toThrow("task 'a' not found")
  })
})

describe('a task of a build', () => {
  const BUILD: Build = {
    id: 'b_1' as BuildId,
    idea: 'i_1' as IdeaId,
    spec: null,
    state: 'running',
    configHash: '',
    lastError: null,
    startedAt: 0,
    lastActivityAt: 0,
  }
  const result = { commit: 'abc' }

  async function building() {
    const { context } = await clocked()
    await make(context, 'a')
    await make(context, 'b', {}, ['a'])
    await context.store.builds.create(context.scope, BUILD, [a, b])
    return context
  }

  const done: [how: string, say: (context: tasks.TaskStoreContext) => Promise<unknown>][] = [
    ['done', (context) => tasks.completeTask(context, a, ann, result)],
    ['done by the operator', (context) => tasks.completeTask(context, a, null, null)],
    ['update --status done', (context) => tasks.updateTask(context, a, { title: 'A' }, { to: 'done', agent: null })],
  ]

  it.each(done)('%s is a claim: it stays active and frees nobody', async (_, say) => {
    const context = await building()
    await take(context, 'a')
    await say(context)
    expect(await showTask(context, a)).toMatchObject({
      status: 'active',
      assignee: 'ann',
      result: null,
      reportedDone: { where: 'outside', by: 'ann' },
    })
    await expect(take(context, 'b')).rejects.toMatchObject({ code: 'TASK_NOT_ELIGIBLE' })
  })

  it.each(['complete', 'aborted'] as const)('is done at once when the build is %s', async (state) => {
    const context = await building()
    await take(context, 'a')
    await context.store.builds.move(BUILD.id, ['running'], state, { type: 'buildComplete' })
    expect(await tasks.completeTask(context, a, ann, result)).toMatchObject({
      status: 'done',
      result,
      reportedDone: { where: 'outside', by: 'ann', result },
    })
    expect((await take(context, 'b')).task.id).toBe('b')
  })

  it.each(['paused', 'failed'] as const)('is not done at once when the build is only %s', async (state) => {
    const context = await building()
    await take(context, 'a')
    await context.store.builds.move(BUILD.id, ['running'], state, { type: 'buildPaused', by: 'ann' })
    expect(await tasks.completeTask(context, a, ann, result)).toMatchObject({ status: 'active' })
  })

  const removals: [how: string, remove: (context: tasks.TaskStoreContext) => Promise<unknown>][] = [
    ['delete', (context) => tasks.deleteTask(context, a)],
    ['delete --all', (context) => tasks.deleteTasks(context, ['open', 'active'])],
    ['update --status deleted', (context) => tasks.updateTask(context, a, {}, { to: 'deleted', agent: null })],
  ]

  it.each(removals)('%s: not while a loop works on it, and nothing else goes with it', async (_, remove) => {
    const context = await building()
    await context.store.tasks.claim(context.scope, { id: a, agent: bob, leaseSeconds: 60, build: BUILD.id })
    const before = await context.store.tasks.list(context.scope, {})
    await expect(remove(context)).rejects.toMatchObject({ code: 'TASK_HELD' })
    expect(await context.store.tasks.list(context.scope, {})).toEqual(before)
  })
})
