import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentId, taskId } from '../core/id.ts'
import type { TaskText } from '../core/task.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import * as tasks from './tasks.ts'

const ann = agentId('ann')
const bob = agentId('bob')
const a = taskId('a')
const b = taskId('b')
const c = taskId('c')

async function clocked() {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-tasks-'))
  const clock = { now: 1_800_000_000_000 }
  const store = await openSqliteStore(join(folder, 'ralph.db'), () => clock.now)
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
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
    expect(ids(await tasks.peekTasks(desk, 1))).toEqual(['lapsed', 'held', 'late'])
    expect(ids(await tasks.peekTasks(desk, 9))).toEqual(['lapsed', 'late', 'free', 'more', 'held'])
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
    expect(await tasks.showTask(desk, a)).toMatchObject(after)
  })

  it('writes nothing where the move is refused', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    await take(desk, 'a')
    const before = await tasks.showTask(desk, a)
    for (const to of ['open', 'done'] as const)
      await expect(tasks.updateTask(desk, a, { title: 'New' }, { to, agent: bob })).rejects.toMatchObject({
        code: 'NOT_THE_ASSIGNEE',
      })
    expect(await tasks.showTask(desk, a)).toEqual(before)
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
    expect(await tasks.showTask(desk, a)).toMatchObject({ status: 'open' })
    expect(ids(await tasks.deleteTasks(desk, ['open', 'active']))).toEqual(['a'])
  })
})

describe('blockersOf', () => {
  it('keeps the order of the task', async () => {
    const { desk } = await clocked()
    for (const id of ['a', 'b']) await make(desk, id)
    const task = await make(desk, 'c', {}, ['b', 'a'])
    expect(ids(await tasks.blockersOf(desk, task))).toEqual([b, a])
  })
})

describe('taskTree', () => {
  it('shows a task under each that waits for it', async () => {
    const { desk } = await clocked()
    await make(desk, 'a')
    await make(desk, 'b', {}, ['a'])
    await make(desk, 'c', {}, ['a', 'b'])
    const { lines, whole } = await tasks.taskTree(desk, c)
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
    const tree = await tasks.taskTree(desk, a)
    expect([tree.lines.length, tree.whole]).toEqual([10_000, whole])
  })

  it('refuses a root that is not there', async () => {
    const { desk } = await clocked()
    await expect(tasks.taskTree(desk, a)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' })
  })
})
