// A build that is planned before it starts: one planner at a time, and a plan that is saved whole with its facts.
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import type { PlanItem } from '../../core/plan/plan.ts'
import { planningClaimed, planningReleased, UNPLANNED } from '../../core/builds/planning.ts'
import type { Seed } from '../../core/plan/seed.ts'
import type { Store } from '../store.ts'
import {
  agent,
  build,
  BUILD,
  expectNothingChanged,
  found,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const SEED: Seed = { from: 'goal', text: 'a shop' }
const FENCE = 1

function item(id: string, deps: readonly string[] = [], title = `Do ${id}`): PlanItem {
  return { id: taskId(id), text: { title, spec: 'shop' }, deps: deps.map(taskId), line: 1 }
}

const planOf =
  (...items: readonly PlanItem[]) =>
  () => ({ items, specs: ['shop'], notes: 'why so' })

async function unplanned(open: OpenStore): Promise<Rig> {
  const rig = await setUp(open)
  await rig.store.builds.create(SCOPE, build(rig), null, [
    { kind: 'seed', seed: SEED },
    { kind: 'planning', ...UNPLANNED },
  ])
  return rig
}

const claim = (store: Store, by: string) =>
  store.builds.changePlanning(BUILD, (planning, now) => planningClaimed(planning, agent(by), 60, now))

const facts = async ({ store }: Rig) => (await store.builds.facts(BUILD, 0, 99)).map(({ fact }) => fact)

export function describePlanning(open: OpenStore): void {
  describe('a build without a plan', () => {
    it('has not started, and keeps what it is planned from', async () => {
      const rig = await unplanned(open)
      expect(await facts(rig)).toEqual([])
      expect(await rig.store.builds.attachments(BUILD, 'seed')).toEqual([{ kind: 'seed', seed: SEED }])
      expect(await rig.store.builds.newest(SCOPE)).toEqual(build(rig))
    })

    it('is planned by one at a time, whoever asks', async () => {
      const rig = await unplanned(open)
      const other = await rig.again()
      const both = await Promise.all([claim(rig.store, 'a'), claim(other, 'b')])
      expect(both.filter((one) => one !== null)).toMatchObject([{ attempt: 1, fence: FENCE, isPlanned: false }])
      expect(await facts(rig)).toEqual([{ type: 'planning', attempt: 1 }])
      rig.pass(60_000)
      expect(await claim(other, 'b')).toEqual({
        attempt: 2,
        holder: 'b',
        leaseExpiresAt: rig.now() + 60_000,
        fence: 2,
        isPlanned: false,
      })
    })

    it('keeps what a rule changes with what it tells, or nothing', async () => {
      const rig = await unplanned(open)
      await claim(rig.store, 'a')
      const why = { type: 'planningFailed', attempt: 1, error: 'größer' } as const
      const release = (fence: number) =>
        rig.store.builds.changePlanning(BUILD, (planning) => planningReleased(planning, fence, why))
      expect(await expectNothingChanged(rig, () => release(7))).toBeNull()
      expect(await release(FENCE)).toMatchObject({ holder: null, fence: 2 })
      expect((await facts(rig)).at(-1)).toEqual(why)
    })

    it('that needs none is not planned', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      expect(await expectNothingChanged(rig, () => claim(rig.store, 'a'))).toBeNull()
      expect(await expectNothingChanged(rig, () => rig.store.builds.plan(BUILD, 0, planOf(item('b'))))).toEqual({
        kept: false,
      })
    })
  })

  describe('plan', () => {
    it('starts the build with its tasks and all that are open', async () => {
      const rig = await unplanned(open)
      await plant(rig, { mine: [], over: [] })
      await rig.store.tasks.change(SCOPE, taskId('over'), (task) => ({ ...task, status: 'skipped' }))
      await claim(rig.store, 'a')
      rig.pass(5)
      const planned = await rig.store.builds.plan(BUILD, FENCE, planOf(item('a'), item('b', ['a'])))
      const told = [
        {
          type: 'planned',
          taskCount: 2,
          tasks: [
            { id: 'a', title: 'Do a', type: null, dependsOn: [] },
            { id: 'b', title: 'Do b', type: null, dependsOn: ['a'] },
          ],
          notes: 'why so',
        },
        { type: 'buildStarted', taskCount: 3 },
      ]
      expect(planned).toMatchObject({ kept: true, facts: told, diff: { inserted: [{ id: 'a' }, { id: 'b' }] } })
      expect((await facts(rig)).slice(1)).toEqual(told)
      const builds = (await rig.store.tasks.list(SCOPE, {})).map((task) => [task.id, task.build])
      expect(builds).toEqual([
        ['mine', BUILD],
        ['over', null],
        ['a', BUILD],
        ['b', BUILD],
      ])
      expect(await rig.store.builds.find(BUILD)).toMatchObject({ lastActivityAt: rig.now() })
      expect(await rig.store.builds.attachments(BUILD, 'planning')).toMatchObject([{ isPlanned: true, holder: null }])
    })

    it('sees the tasks as they are when it is kept, and takes its group over by difference', async () => {
      const rig = await unplanned(open)
      await rig.store.tasks.syncPlan(SCOPE, [item('old'), item('a', [], 'before')])
      await claim(rig.store, 'a')
      let seen: string[] = []
      await rig.store.builds.plan(BUILD, FENCE, (current) => {
        seen = current.map(({ id }) => id)
        return planOf(item('a'))()
      })
      expect(seen).toEqual(['old', 'a'])
      expect([(await found(rig, 'old')).status, (await found(rig, 'a')).title]).toEqual(['deleted', 'Do a'])
    })

    it('comes too late from who lost the planning, for a build that has one, and for one that is aborted', async () => {
      const rig = await unplanned(open)
      const late = () => rig.store.builds.plan(BUILD, FENCE, planOf(item('late')))
      expect(await expectNothingChanged(rig, late)).toEqual({ kept: false })
      await claim(rig.store, 'a')
      rig.pass(60_000)
      await claim(rig.store, 'b')
      expect(await expectNothingChanged(rig, late)).toEqual({ kept: false })
      await rig.store.builds.move(BUILD, ['running', 'paused'], 'aborted', { type: 'buildAborted', by: 'ada' })
      const second = () => rig.store.builds.plan(BUILD, 2, planOf(item('late')))
      expect(await expectNothingChanged(rig, second)).toEqual({ kept: false })
      await rig.store.builds.move(BUILD, ['aborted'], 'running', { type: 'buildResumed', by: 'ada' })
      expect(await second()).toMatchObject({ kept: true })
      expect(await expectNothingChanged(rig, second)).toEqual({ kept: false })
    })

    it('that makes no sense leaves nothing behind', async () => {
      const rig = await unplanned(open)
      await claim(rig.store, 'a')
      const cycle = () => refused(rig.store.builds.plan(BUILD, FENCE, planOf(item('a', ['b']), item('b', ['a']))))
      expect(await expectNothingChanged(rig, cycle)).toMatchObject(['DEPENDENCY_CYCLE', expect.any(String)])
    })
  })

  it('a group that a rule names loses what it no longer lists, also its last task', async () => {
    const rig = await setUp(open)
    await rig.store.tasks.syncPlan(SCOPE, [item('a')])
    const diff = await rig.store.tasks.syncPlan(SCOPE, () => ({ items: [], specs: ['shop'] }))
    expect(diff.deleted.map(({ id }) => id)).toEqual(['a'])
  })
}
