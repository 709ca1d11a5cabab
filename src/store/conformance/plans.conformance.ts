// A plan that is synced by difference, in one step.
import { describe, expect, it } from 'vitest'
import { type BuildId, taskId } from '../../core/values/id.ts'
import type { PlanItem } from '../../core/plan/plan.ts'
import { markCompleted, markDeleted, markFailed, renewLease, type TaskText } from '../../core/task/task.ts'
import {
  agent,
  claim,
  everything,
  expectNothingChanged,
  found,
  ids,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
  task,
} from './rig.conformance.ts'

const NOTHING = { inserted: [], updated: [], deleted: [], skippedDone: 0 }

function item(id: string, text: Partial<TaskText> = {}, deps?: readonly string[]): PlanItem {
  const waitsFor = deps === undefined ? {} : { deps: ids(...deps) }
  return { id: taskId(id), text: { title: `Do ${id}`, spec: 'shop', ...text }, ...waitsFor, line: 1 }
}

const statuses = async (rig: Rig) =>
  Object.fromEntries((await rig.store.tasks.list(SCOPE, {})).map((one) => [one.id, one.status]))

export function describePlans(open: OpenStore): void {
  describe('syncPlan', () => {
    it('inserts in the order of the plan, also what waits for a later line', async () => {
      const rig = await setUp(open)
      const diff = await rig.store.tasks.syncPlan(SCOPE, [
        item('z', { steps: ['one'] }, ['m', 'a']),
        item('m', { priority: 1 }, ['a']),
        item('a'),
      ])
      expect(diff).toEqual({
        ...NOTHING,
        inserted: [
          task(rig, 'z', { spec: 'shop', steps: ['one'] }, ['m', 'a']),
          task(rig, 'm', { spec: 'shop', priority: 1 }, ['a']),
          task(rig, 'a', { spec: 'shop' }),
        ],
      })
      const [z, m, a] = diff.inserted
      expect(await rig.store.tasks.list(SCOPE, {})).toEqual([m, z, a])
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['a'])
    })

    it('keeps sealed examples beside the tasks, and shows them nowhere else', async () => {
      const rig = await setUp(open)
      const call = { module: 'a.js', name: 'f', args: ['CANARY'], expects: { returns: 1 } }
      const plan = [{ ...item('a'), examples: [{ call }] }, item('b')]
      const sync = (items: readonly PlanItem[]) => rig.store.tasks.syncPlan(SCOPE, items)
      const examples = (id: string) => rig.store.tasks.examples(SCOPE, taskId(id))
      const diff = await sync(plan)
      expect(await examples('a')).toEqual([{ call }])
      expect([await examples('b'), await examples('c')]).toEqual([[], []])
      const seen = [diff, await rig.store.tasks.list(SCOPE, {}), await rig.store.tasks.find(SCOPE, taskId('a'))]
      expect(JSON.stringify(seen)).not.toContain('CANARY')
      rig.pass(1_000)
      expect(await expectNothingChanged(rig, () => sync(plan))).toEqual(NOTHING)
      // A plan that says nothing about examples leaves them; an empty list takes them away.
      await sync([item('a'), item('b')])
      expect(await examples('a')).toEqual([{ call }])
      await sync([{ ...item('a'), examples: [] }, item('b')])
      expect(await examples('a')).toEqual([])
    })

    it('twice does nothing', async () => {
      const rig = await setUp(open)
      const plan = [item('a'), item('b', { priority: 0, acceptance: ['x'] }, ['a'])]
      await rig.store.tasks.syncPlan(SCOPE, plan)
      rig.pass(1_000)
      expect(await expectNothingChanged(rig, () => rig.store.tasks.syncPlan(SCOPE, plan))).toEqual(NOTHING)
    })

    it('updates what changed; what is left out stays as it is', async () => {
      const rig = await setUp(open)
      await rig.store.tasks.syncPlan(SCOPE, [
        item('a'),
        item('b', { description: 'long', ref: '#1' }, ['a']),
        item('c'),
      ])
      const [a, b, c] = await rig.store.tasks.list(SCOPE, {})
      rig.pass(1_000)
      const diff = await rig.store.tasks.syncPlan(SCOPE, [
        item('c', {}, ['b', 'a']),
        item('b', { title: 'New', ref: '#2' }),
        item('a'),
      ])
      const updated = [
        { ...c, deps: ['b', 'a'], updatedAt: rig.now() },
        { ...b, title: 'New', ref: '#2', updatedAt: rig.now() },
      ]
      expect(diff).toEqual({ ...NOTHING, updated })
      expect(await rig.store.tasks.list(SCOPE, {})).toEqual([a, updated[1], updated[0]])
    })

    it('deletes what its spec no longer lists, and only that', async () => {
      const rig = await setUp(open)
      await plant(rig, { mine: [] })
      await rig.store.tasks.syncPlan(SCOPE, [item('a'), item('b'), item('c'), item('elsewhere', { spec: 'blog' })])
      await claim(rig, 'c')
      await rig.store.tasks.change(SCOPE, taskId('c'), (one, now) => markCompleted(one, null, null, now))
      await claim(rig, 'b')
      const before = await found(rig, 'b')
      rig.pass(1_000)
      const diff = await rig.store.tasks.syncPlan(SCOPE, [item('a')])
      const gone = {
        ...before,
        status: 'deleted',
        assignee: null,
        leaseExpiresAt: null,
        heldBy: null,
        fence: 2,
        updatedAt: rig.now(),
      }
      expect(diff).toEqual({ ...NOTHING, deleted: [gone] })
      expect(await statuses(rig)).toEqual({ mine: 'open', a: 'open', b: 'deleted', c: 'done', elsewhere: 'open' })
      const renew = rig.store.tasks.change(SCOPE, taskId('b'), (one, now) => renewLease(one, agent('loop-1'), 60, now))
      expect(await refused(renew)).toEqual(['TASK_NOT_ACTIVE', "task 'b' is not active (status: deleted)"])
    })

    it('leaves done tasks as they are and counts them', async () => {
      const rig = await setUp(open)
      await rig.store.tasks.syncPlan(SCOPE, [item('a'), item('b')])
      await claim(rig, 'a')
      await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) => markCompleted(one, null, { commit: 'c1' }, now))
      const plan = [item('a', { title: 'Other' }, ['b']), item('b')]
      const sync = () => rig.store.tasks.syncPlan(SCOPE, plan)
      expect(await expectNothingChanged(rig, sync)).toEqual({ ...NOTHING, skippedDone: 1 })
    })

    it('lets a deleted task come back as new, but for its fence', async () => {
      const rig = await setUp(open)
      await rig.store.tasks.syncPlan(SCOPE, [item('a', { description: 'old' }, ['b']), item('b')])
      await rig.store.tasks.change(SCOPE, taskId('b'), (one) => ({ ...one, status: 'done' }))
      await rig.store.tasks.claim(SCOPE, { agent: agent('loop-1'), leaseSeconds: 60, build: 'b7' as BuildId })
      await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) => markFailed(one, null, 'no', now))
      const old = await claim(rig, 'a')
      await rig.store.tasks.change(SCOPE, taskId('a'), markDeleted)
      await rig.store.tasks.syncPlan(SCOPE, [item('c')])
      rig.pass(1_000)
      const diff = await rig.store.tasks.syncPlan(SCOPE, [item('c'), item('a', { title: 'Back' })])
      const { fence } = await found(rig, 'a')
      expect(fence).toBeGreaterThan(old.fence)
      const back = { ...task(rig, 'a', { title: 'Back', spec: 'shop' }), fence }
      expect(diff).toEqual({ ...NOTHING, inserted: [back] })
      expect((await rig.store.tasks.list(SCOPE, { statuses: ['open'] })).map((one) => one.id)).toEqual(['c', 'a'])
      expect(await found(rig, 'a')).toEqual(back)
    })

    const refusals: [name: string, plan: PlanItem[], code: string][] = [
      ['an unknown dependency', [item('new'), item('a', { title: 'New' }, ['nobody'])], 'PLAN_LINE_BAD'],
      ['a dependency that it deletes itself', [item('new', {}, ['b'])], 'PLAN_LINE_BAD'],
      ['a cycle', [item('a', {}, ['new']), item('new', {}, ['a'])], 'DEPENDENCY_CYCLE'],
      ['a task without a title', [item('new'), item('b', { title: ' ' })], 'PLAN_LINE_BAD'],
    ]
    it.for(refusals)('writes nothing of a plan with %s', async ([, plan, code]) => {
      const rig = await setUp(open)
      await rig.store.tasks.syncPlan(SCOPE, [item('a'), item('b')])
      const sync = () => refused(rig.store.tasks.syncPlan(SCOPE, plan))
      expect(await expectNothingChanged(rig, sync)).toMatchObject([code, expect.any(String)])
    })

    it('is seen whole by others or not at all', async () => {
      const rig = await setUp(open)
      const other = await rig.again()
      const plan = Array.from({ length: 50 }, (_, index) => item(`t${index}`))
      const sizes = new Set<number>()
      const syncing = rig.store.tasks.syncPlan(SCOPE, plan)
      for (let look = 0; look < 10; look += 1) sizes.add((await other.tasks.list(SCOPE, {})).length)
      await syncing
      sizes.add((await other.tasks.list(SCOPE, {})).length)
      expect([...sizes].filter((size) => size !== 0)).toEqual([50])
      expect(await everything(other)).toEqual(await everything(rig.store))
    })
  })
}
