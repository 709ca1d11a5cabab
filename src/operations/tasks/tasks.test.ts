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
  const desk: tasks.TaskDesk = { store, scope: { repo: '.', branch: 'main' }, now: () => clock.now }
  return { desk, clock }
}

const make = (desk: tasks.TaskDesk, id: string, text: Partial<TaskText> = {}, deps: readonly string[] = []) =>
  tasks.createTask(desk, taskId(id), { title: id, ...text }, deps.map(taskId))

const take = (desk: tasks.TaskDesk, id: string, leaseSeconds = 60) =>
  tasks.claimTask(desk, { id: taskId(id), agent: ann, leaseSeconds })

const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

describe('peekTasks', () => {
  it('shows claimable tasks up to the limit, then every active one once', async () => {
    const { desk, clock } = await clocked()
    for (const id of ['held', 'lapsed', 'late', 'free', 'more']) await make(desk, id)
    await make(desk, 'blocked', {}, ['free'])
    await take(desk, 'held', 600)
    await take(desk, 'lapsed', 1)
    await take(desk, 'late', 1)
    clock.now += 1_000
    expect(ids(await peekTasks(desk, 1))).toEqual(['lapsed', 'held', 'late'])
    expect(ids(await peekTasks(desk, 9))).toEqual(['lapsed', 'late', 'free', 'more', 'held'])
  })
})

describe('claimTask', () => {
  it('refuses with the one sentence where the task is named, and the other where it is not', async () => {
    const { desk } = await clocked()
    await expect(tasks.claimTask(desk, { agent: ann, leaseSeconds: 1 })).rejects.toMatchObject({
      code: 'NO_ELIGIBLE_TASKS',
    })
    await expect(take(desk, 'a')).rejects.toMatchObject({ code: 'TASK_NOT_ELIGIBLE' })
  })
})

describe('updateTask', () => {
  it.each([
    ['open', { status: 'open', retryCount: 1, assignee: null, title: 'New' }],
    ['done', { status: 'done', retryCount: 0, assignee: null, title: 'New' }],
    ['deleted', { status: 'deleted', retryCount: 0, assignee: null, title: 'New' }],
  ] as const)('moves an active task to %s with its new text, in one step', async (to, after) => {
    const { desk } = await clocked()
    await make(desk, 'a')
    await take(desk, 'a')
    expect(await tasks.updateTask(desk, a, { title: 'New' }, { to, agent: ann })).toMatchObject(after)
    expect(await showTask(desk, a)).toMatchObject(after)
  })

  it('writes nothing where the move is refused', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    await take(desk, 'a')
    const before = await showTask(desk, a)
    for (const to of ['open', 'done'] as const)
      await expect(tasks.updateTask(desk, a, { title: 'New' }, { to, agent: bob })).rejects.toMatchObject({
        code: 'NOT_THE_ASSIGNEE',
      })
    expect(await showTask(desk, a)).toEqual(before)
  })

  it('takes the status a task has for no move', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    expect(await tasks.updateTask(desk, a, { priority: 0 }, { to: 'open', agent: null })).toMatchObject({
      priority: 0,
      retryCount: 0,
    })
  })
})

describe('deleteTasks', () => {
  it('refuses done ones before it touches any', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    expect(() => tasks.deleteTasks(desk, ['open', 'done'])).toThrow('done tasks cannot be deleted')
    expect(await showTask(desk, a)).toMatchObject({ status: 'open' })
    expect(ids(await tasks.deleteTasks(desk, ['open', 'active']))).toEqual(['a'])
  })
})

describe('blockersOf', () => {
  it('keeps the order of the task', async () => {
    const { desk } = await clocked()
    for (const id of ['a', 'b']) await make(desk, id)
    const task = await make(desk, 'c', {}, ['b', 'a'])
    expect(ids(await blockersOf(desk, task))).toEqual([b, a])
  })
})

describe('taskTree', () => {
  it('shows a task under each that waits for it', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    await make(desk, 'b', {}, ['a'])
    await make(desk, 'c', {}, ['a', 'b'])
    const { lines, whole } = tasks.taskTree(await desk.store.tasks.list(desk.scope, {}), c)
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
    const { desk } = await clocked()
    const leaves = Array.from({ length: width }, (_, n) => ({ id: taskId(`t${n}`), text: { title: 'T' }, line: n }))
    const deps = leaves.map(({ id }) => id)
    await desk.store.tasks.syncPlan(desk.scope, [...leaves, { id: a, text: { title: 'A' }, deps, line: 0 }])
    const tree = tasks.taskTree(await desk.store.tasks.list(desk.scope, {}), a)
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
    const { desk } = await clocked()
    await make(desk, 'a')
    await make(desk, 'b', {}, ['a'])
    await desk.store.builds.create(desk.scope, BUILD, [a, b])
    return desk
  }

  const done: [how: string, say: (desk: tasks.TaskDesk) => Promise<unknown>][] = [
    ['done', (desk) => tasks.completeTask(desk, a, ann, result)],
    ['done by the operator', (desk) => tasks.completeTask(desk, a, null, null)],
    ['update --status done', (desk) => tasks.updateTask(desk, a, { title: 'A' }, { to: 'done', agent: null })],
  ]

  it.each(done)('%s is a claim: it stays active and frees nobody', async (_, say) => {
    const desk = await building()
    await take(desk, 'a')
    await say(desk)
    expect(await showTask(desk, a)).toMatchObject({
      status: 'active',
      assignee: 'ann',
      result: null,
      saidDone: { where: 'outside', by: 'ann' },
    })
    await expect(take(desk, 'b')).rejects.toMatchObject({ code: 'TASK_NOT_ELIGIBLE' })
  })

  it.each(['complete', 'aborted'] as const)('is done at once when the build is %s', async (state) => {
    const desk = await building()
    await take(desk, 'a')
    await desk.store.builds.move(BUILD.id, ['running'], state, { type: 'buildComplete' })
    expect(await tasks.completeTask(desk, a, ann, result)).toMatchObject({ status: 'done', result, saidDone: null })
    expect((await take(desk, 'b')).task.id).toBe('b')
  })

  it.each(['paused', 'failed'] as const)('is not done at once when the build is only %s', async (state) => {
    const desk = await building()
    await take(desk, 'a')
    await desk.store.builds.move(BUILD.id, ['running'], state, { type: 'buildPaused', by: 'ann' })
    expect(await tasks.completeTask(desk, a, ann, result)).toMatchObject({ status: 'active' })
  })

  const removals: [how: string, remove: (desk: tasks.TaskDesk) => Promise<unknown>][] = [
    ['delete', (desk) => tasks.deleteTask(desk, a)],
    ['delete --all', (desk) => tasks.deleteTasks(desk, ['open', 'active'])],
    ['update --status deleted', (desk) => tasks.updateTask(desk, a, {}, { to: 'deleted', agent: null })],
  ]

  it.each(removals)('%s: not while a loop works on it, and nothing else goes with it', async (_, remove) => {
    const desk = await building()
    await desk.store.tasks.claim(desk.scope, { id: a, agent: bob, leaseSeconds: 60, build: BUILD.id })
    const before = await desk.store.tasks.list(desk.scope, {})
    await expect(remove(desk)).rejects.toMatchObject({ code: 'TASK_HELD' })
    expect(await desk.store.tasks.list(desk.scope, {})).toEqual(before)
  })
})
