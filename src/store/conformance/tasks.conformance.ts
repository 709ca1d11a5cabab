// Tasks as they are created, found, listed, changed by rules and counted.
import { describe, expect, it } from 'vitest'
import { refuse } from '../../core/error/error.ts'
import { type BuildId, taskId } from '../../core/values/id.ts'
import { markDeleted, rewriteTask, type Task, TASK_STATUSES, type TaskStatus } from '../../core/task/task.ts'
import type { Scope } from '../store.ts'
import {
  agent,
  expectNothingChanged,
  found,
  ids,
  type OpenStore,
  plant,
  refused,
  SCOPE,
  setUp,
  task,
} from './rig.conformance.ts'

export function describeTasks(open: OpenStore): void {
  describe('create and find', () => {
    it('gives back every field as it was written', async () => {
      const rig = await setUp(open)
      await plant(rig, { z: [], b: [] })
      const written: Task = {
        ...task(rig, 'größe-🧪', {
          title: `It's "quoted"; DROP TABLE tasks --`,
          description: 'Zeile 1\nline 2\t\\ \u2028 🧪',
          priority: Number.MAX_SAFE_INTEGER,
          category: 'api',
          spec: 'spec/001',
          ref: '#7',
          steps: ['one', '', 'größer "3"'],
          type: 'database',
          acceptance: ['a, b', '["c"]'],
          filesExpected: ['src/ä b.ts'],
        }),
        fixedClaim: { claim: 'none', from: 'title', word: 'docs(ä):' },
        deps: ids('z', 'b'),
        status: 'waiting',
        build: 'b7' as BuildId,
        assignee: agent('loop-1'),
        leaseExpiresAt: 1_700_000_000_001,
        heldBy: 'agent',
        reportedDone: { where: 'outside', by: agent('ä'), result: { commit: 'c', more: [null] } },
        fence: 3,
        retryCount: 2,
        failReason: 'exit 1:\n  no such table',
        result: { commit: null, nested: { list: [1, 'two', null] } },
        updatedAt: rig.now() + 5,
      }
      await rig.store.tasks.create(SCOPE, written)
      expect(await rig.store.tasks.find(SCOPE, written.id)).toEqual(written)
      expect(await (await rig.again()).tasks.find(SCOPE, written.id)).toEqual(written)
    })

    it('finds nothing where nothing is', async () => {
      const rig = await setUp(open)
      expect(await rig.store.tasks.find(SCOPE, taskId('a'))).toBeNull()
      await plant(rig, { a: [] })
      expect(await rig.store.tasks.find(SCOPE, taskId('A'))).toBeNull()
    })

    it.for(TASK_STATUSES)('refuses an id that exists, also where that task is %s', async (status) => {
      const rig = await setUp(open)
      await rig.store.tasks.create(SCOPE, { ...task(rig, 'a'), status })
      const again = () => refused(rig.store.tasks.create(SCOPE, task(rig, 'a', { title: 'Another' })))
      const expected = ['TASK_EXISTS', `task 'a' already exists (status: ${status})`]
      expect(await expectNothingChanged(rig, again)).toEqual(expected)
    })

    it.for([
      { name: 'unknown', deps: ['b', 'nobody'], unknown: 'nobody' },
      { name: 'deleted', deps: ['gone'], unknown: 'gone' },
      { name: 'the task itself', deps: ['a'], unknown: 'a' },
    ])('refuses a dependency that is $name', async ({ deps, unknown }) => {
      const rig = await setUp(open)
      await plant(rig, { b: [], gone: [] })
      await rig.store.tasks.change(SCOPE, taskId('gone'), markDeleted)
      const create = () => refused(rig.store.tasks.create(SCOPE, task(rig, 'a', {}, deps)))
      const expected = ['DEPENDENCY_UNKNOWN', `dependency '${unknown}' not found`]
      expect(await expectNothingChanged(rig, create)).toEqual(expected)
    })
  })

  describe('scopes', () => {
    const scopes: Scope[] = [
      SCOPE,
      { repo: '/srv/shop', branch: 'next' },
      { repo: '/srv/shop/main', branch: '' },
      { repo: '/srv/blog', branch: 'main' },
    ]

    it('are apart in everything', async () => {
      const rig = await setUp(open)
      const { tasks } = rig.store
      for (const scope of scopes) await tasks.create(scope, task(rig, 'a', { title: `${scope.repo}@${scope.branch}` }))
      const [first, second, ...others] = scopes as [Scope, Scope, ...Scope[]]
      await tasks.claim(first, { agent: agent('loop-1'), leaseSeconds: 60 })
      await tasks.changeAll(second, {}, markDeleted)
      await tasks.syncPlan(second, [{ id: taskId('b'), text: { title: 'B', spec: 's' }, line: 1 }])
      const shown = async (scope: Scope) => (await tasks.list(scope, {})).map((one) => `${one.id} ${one.status}`)
      expect(await shown(first)).toEqual(['a active'])
      expect(await shown(second)).toEqual(['a deleted', 'b open'])
      for (const scope of others) {
        expect(await tasks.list(scope, {})).toEqual([task(rig, 'a', { title: `${scope.repo}@${scope.branch}` })])
        expect(await tasks.counts(scope)).toEqual({ open: 1, active: 0, done: 0, blocked: 0, deleted: 0 })
      }
    })

    it('know no dependencies across', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [] })
      const [, elsewhere] = scopes as [Scope, Scope]
      await rig.store.tasks.create(elsewhere, task(rig, 'b'))
      expect(await refused(rig.store.tasks.create(elsewhere, task(rig, 'c', {}, ['a'])))).toEqual([
        'DEPENDENCY_UNKNOWN',
        "dependency 'a' not found",
      ])
      expect(await refused(rig.store.tasks.block(elsewhere, taskId('b'), taskId('a')))).toEqual([
        'TASK_NOT_FOUND',
        "task 'a' not found",
      ])
    })

    it('that were never written to are empty, and looking makes nothing', async () => {
      const rig = await setUp(open)
      const { tasks, builds } = rig.store
      expect(await tasks.list(SCOPE, {})).toEqual([])
      expect(await tasks.claimable(SCOPE, 5)).toEqual([])
      expect(await tasks.claim(SCOPE, { agent: agent('loop-1'), leaseSeconds: 60 })).toBeNull()
      expect(await tasks.changeAll(SCOPE, {}, markDeleted)).toEqual([])
      expect(await tasks.counts(SCOPE)).toEqual({ open: 0, active: 0, done: 0, blocked: 0, deleted: 0 })
      expect(await builds.newest(SCOPE)).toBeNull()
    })
  })

  describe('list', () => {
    it('is in plan order: priority, then age, also within one instant', async () => {
      const rig = await setUp(open)
      const planned = [
        ['late', 2],
        ['z', 0],
        ['m', 1],
        ['a', 0],
        ['last', 2],
      ] as const
      for (const [id, priority] of planned) await rig.store.tasks.create(SCOPE, task(rig, id, { priority }))
      const listed = await rig.store.tasks.list(SCOPE, {})
      expect(listed.map((one) => one.id)).toEqual(['z', 'a', 'm', 'late', 'last'])
    })

    it.for([
      { filter: {}, expected: ['a', 'b', 'c', 'd', 'e'] },
      { filter: { statuses: ['open'] }, expected: ['a', 'e'] },
      { filter: { statuses: ['done', 'active'] }, expected: ['b', 'c', 'd'] },
      { filter: { statuses: [] }, expected: [] },
      { filter: { statuses: ['split'] }, expected: [] },
      { filter: { assignee: 'loop-1' }, expected: ['b'] },
      { filter: { assignee: 'loop-3' }, expected: [] },
      { filter: { ids: ['e', 'nobody', 'a'] }, expected: ['a', 'e'] },
      { filter: { ids: [] }, expected: [] },
      { filter: { statuses: ['active'], assignee: 'loop-2', ids: ['a', 'c'] }, expected: ['c'] },
      { filter: { statuses: ['open'], assignee: 'loop-2' }, expected: [] },
    ] as const)('takes only what matches $filter', async ({ filter, expected }) => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [], d: [], e: [] })
      const become = (id: string, changes: Partial<Task>) =>
        rig.store.tasks.change(SCOPE, taskId(id), (one) => ({ ...one, ...changes }))
      await become('b', { status: 'active', assignee: agent('loop-1') })
      await become('c', { status: 'active', assignee: agent('loop-2') })
      await become('d', { status: 'done' })
      const listed = await rig.store.tasks.list(SCOPE, filter as Parameters<typeof rig.store.tasks.list>[1])
      expect(listed.map((one) => one.id)).toEqual(expected)
    })
  })

  describe('change', () => {
    it('writes what the rule makes of the task and of the time', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [] })
      rig.pass(5_000)
      const before = await found(rig, 'a')
      const after = await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) =>
        rewriteTask(one, { title: 'New', priority: 0, steps: ['x'] }, now),
      )
      expect(after).toEqual({ ...before, title: 'New', priority: 0, steps: ['x'], updatedAt: rig.now() })
      expect(await rig.store.tasks.list(SCOPE, {})).toEqual([after, await found(rig, 'b')])
    })

    it('can set and clear everything', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const bare = await found(rig, 'a')
      const full: Task = {
        ...bare,
        title: 'Full',
        description: 'd',
        priority: 9,
        category: 'c',
        spec: 's',
        ref: 'r',
        steps: ['1'],
        type: 'ui',
        acceptance: ['2'],
        filesExpected: ['3'],
        fixedClaim: { claim: 'behaviour', from: 'default' },
        status: 'active',
        build: 'b7' as BuildId,
        assignee: agent('loop-1'),
        leaseExpiresAt: 12,
        heldBy: 'loop',
        reportedDone: { where: 'session', by: null, result: null },
        fence: 1,
        retryCount: 4,
        failReason: 'f',
        result: { commit: 'c1' },
        updatedAt: 13,
      }
      expect(await rig.store.tasks.change(SCOPE, bare.id, () => full)).toEqual(full)
      expect(await found(rig, 'a')).toEqual(full)
      const cleared = { ...bare, fence: 1 }
      await rig.store.tasks.change(SCOPE, bare.id, () => cleared)
      expect(await found(rig, 'a')).toEqual(cleared)
    })

    it('refuses what the rule refuses, and an unknown task', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const change = () =>
        refused(
          rig.store.tasks.change(SCOPE, taskId('a'), () => {
            throw refuse('TASK_NOT_ELIGIBLE')
          }),
        )
      expect(await expectNothingChanged(rig, change)).toEqual(['TASK_NOT_ELIGIBLE', 'Task not eligible'])
      expect(await refused(rig.store.tasks.change(SCOPE, taskId('b'), markDeleted))).toEqual([
        'TASK_NOT_FOUND',
        "task 'b' not found",
      ])
    })
  })

  describe('changeAll', () => {
    it('changes what matches, in plan order', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [] })
      const changed = await rig.store.tasks.changeAll(SCOPE, { ids: ids('c', 'a') }, markDeleted)
      expect(changed.map((one) => one.id)).toEqual(['a', 'c'])
      const statuses = (await rig.store.tasks.list(SCOPE, {})).map((one) => one.status)
      expect(statuses).toEqual(['deleted', 'open', 'deleted'])
      expect(changed).toEqual(await rig.store.tasks.list(SCOPE, { statuses: ['deleted'] }))
    })

    it('is all or nothing', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [] })
      const change = () =>
        refused(
          rig.store.tasks.changeAll(SCOPE, {}, (one, now) => {
            if (one.id === 'c') throw refuse('TASK_DONE', { id: one.id, verb: 'deleted' })
            return markDeleted(one, now)
          }),
        )
      const expected = ['TASK_DONE', "task 'c' is done and cannot be deleted"]
      expect(await expectNothingChanged(rig, change)).toEqual(expected)
    })
  })

  describe('counts', () => {
    const columns: Readonly<Record<TaskStatus, string>> = {
      open: 'open',
      active: 'active',
      waiting: 'blocked',
      done: 'done',
      skipped: 'deleted',
      split: 'deleted',
      deleted: 'deleted',
    }

    it.for(TASK_STATUSES)('counts a task that is %s in its column', async (status) => {
      const rig = await setUp(open)
      await rig.store.tasks.create(SCOPE, { ...task(rig, 'a'), status })
      const none = { open: 0, active: 0, done: 0, blocked: 0, deleted: 0 }
      expect(await rig.store.tasks.counts(SCOPE)).toEqual({ ...none, [columns[status]]: 1 })
    })

    it('counts an open task with an unfinished blocker as blocked, and an active one as active', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'], c: ['a', 'b'], d: ['a'] })
      await rig.store.tasks.change(SCOPE, taskId('d'), (one) => ({ ...one, status: 'active' }))
      const counts = { open: 1, active: 1, done: 0, blocked: 2, deleted: 0 }
      expect(await rig.store.tasks.counts(SCOPE)).toEqual(counts)
      await rig.store.tasks.change(SCOPE, taskId('a'), (one) => ({ ...one, status: 'done' }))
      expect(await rig.store.tasks.counts(SCOPE)).toEqual({ ...counts, done: 1, blocked: 1 })
    })
  })
}
