// What a loop may write while it holds a task, and that it can write nothing afterwards.
import { describe, expect, it } from 'vitest'
import { apply, next } from '../../core/attempt/attempt.ts'
import { type BuildId, taskId } from '../../core/values/id.ts'
import { markCompleted, markDeleted, markFailed, releaseTask } from '../../core/task/task.ts'
import type { Lease } from '../store.ts'
import { intervened, outcomes, toDone, toWaiting } from './outcomes.conformance.ts'
import {
  attemptOf,
  begin,
  BUILD,
  claim,
  drive,
  expectNothingChanged,
  found,
  LEASE_SECONDS,
  type OpenStore,
  refused,
  type Rig,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const change = (rig: Rig, rule: Parameters<typeof rig.store.tasks.change>[2]) =>
  rig.store.tasks.change(SCOPE, taskId('a'), rule)

/** Every way in which a loop loses its task. */
const losses: Readonly<Record<string, (rig: Rig) => Promise<unknown>>> = {
  'its time ran out and another loop claimed it': async (rig) => {
    rig.pass(LEASE_SECONDS * 1000)
    return claim(rig, 'a', 'loop-2', await rig.again())
  },
  'its time ran out and it claimed the task itself again': async (rig) => {
    rig.pass(LEASE_SECONDS * 1000)
    return claim(rig, 'a', 'loop-1')
  },
  'the task was failed': (rig) => change(rig, (one, now) => markFailed(one, null, 'session exited', now)),
  'the task was failed and claimed again': async (rig) => {
    await change(rig, (one, now) => markFailed(one, null, null, now))
    return claim(rig, 'a', 'loop-2')
  },
  'the task was given back': (rig) => change(rig, (one, now) => ({ ...releaseTask(one, now), status: 'open' })),
  'the operator finished the task': (rig) => change(rig, (one, now) => markCompleted(one, null, null, now)),
  'the task was deleted': (rig) => change(rig, markDeleted),
  'a human skipped the task': (rig) =>
    rig.store.builds.tell(BUILD, { type: 'taskSkipped', taskId: taskId('a'), by: 'ada' }),
}

export function describeLeases(open: OpenStore): void {
  describe('begin', () => {
    it('saves the attempt and says once what is tried', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const attempt = await attemptOf(rig, 'a')
      rig.pass(10)
      expect(await rig.store.builds.attempt(BUILD, lease.task)).toBe(null)
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: false })
      const saved = (await rig.store.builds.attempts(BUILD)).get(lease.task)
      expect(saved?.task).toBe(lease.task)
      expect(await rig.store.builds.attempt(BUILD, lease.task)).toEqual(saved)
      expect(await rig.store.builds.attempts(BUILD)).toEqual(new Map([['a', attempt]]))
      const about = { taskId: 'a', attempt: 1 }
      expect(await rig.store.builds.facts(BUILD, 1, 9)).toEqual([
        { seq: 2, at: rig.now(), fact: { type: 'taskStarted', ...about, taskName: 'Do a' } },
        { seq: 3, at: rig.now(), fact: { type: 'iterationStarted', ...about, iteration: 1 } },
      ])
    })

    it('says again that it waits where a wait is taken up by the next loop', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const limit = { taskId: taskId('a'), until: rig.now() + 60_000, reason: 'too much', agent: 'claude' }
      await drive(rig, lease, [{ type: 'limited', ...limit }])
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: false })
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: true })
      expect((await rig.store.builds.facts(BUILD, 4, 9)).map(({ fact }) => fact)).toEqual([
        { type: 'waiting', ...limit },
        { type: 'waiting', ...limit },
      ])
    })

    it('tells that the same effect was begun before, also to the loop that comes after', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const first = await claim(rig, 'a')
      await begin(rig, first)
      expect(await expectNothingChanged(rig, () => begin(rig, first))).toEqual({ kept: true, resumed: true })
      rig.pass(LEASE_SECONDS * 1000)
      const second = await claim(rig, 'a', 'loop-2')
      expect(await expectNothingChanged(rig, () => begin(rig, second))).toEqual({ kept: true, resumed: true })
    })

    it('starts anew once an outcome was recorded, also for an effect that is done again', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const interrupted = { type: 'interrupted', taskId: taskId('a'), reason: 'Ctrl+C' } as const
      await drive(rig, lease, [interrupted, interrupted, outcomes('a').unfinished])
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: false })
      const types = (await rig.store.builds.facts(BUILD, 0, 99)).map(({ fact }) => fact.type)
      expect(types.filter((type) => type === 'iterationStarted')).toHaveLength(4)
    })

    it('refuses a build that does not exist', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const begun = () => refused(begin(rig, lease, 'b9' as BuildId))
      expect(await expectNothingChanged(rig, begun)).toEqual(['BUILD_NOT_FOUND', "build 'b9' not found"])
    })
  })

  describe('record', () => {
    it('keeps the new attempt, the fact and what follows from it, together', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const [complete, ...rest] = toDone('a')
      const merged = rest.at(-1)
      await drive(rig, lease, [outcomes('a').complete, ...rest.slice(0, -1)])
      await begin(rig, lease)
      const before = { attempt: await attemptOf(rig, 'a'), task: await found(rig, 'a') }
      rig.pass(10)
      if (complete === undefined || merged === undefined) throw new Error('there is nothing to record')
      const attempt = apply(before.attempt, merged)
      const announced = { type: 'taskComplete', taskId: 'a', taskName: 'Do a', commitHash: 'c1' }
      expect(await rig.store.builds.record(lease, BUILD, merged)).toEqual({
        kept: true,
        attempt,
        facts: [merged, announced],
      })
      expect(await attemptOf(rig, 'a')).toEqual(attempt)
      expect(next(attempt)).toBeNull()
      expect((await rig.store.builds.facts(BUILD, 0, 99)).slice(-2)).toEqual([
        { seq: 10, at: rig.now(), fact: merged },
        { seq: 11, at: rig.now(), fact: announced },
      ])
      expect(await found(rig, 'a')).toEqual({
        ...before.task,
        status: 'done',
        assignee: null,
        leaseExpiresAt: null,
        heldBy: null,
        fence: lease.fence + 1,
        result: { commit: 'c1', tree: 't1', proof: { by: 'evidence', evidence: 'e1' } },
        updatedAt: rig.now(),
      })
      expect(await rig.store.builds.find(BUILD)).toMatchObject({ lastActivityAt: rig.now(), lastError: null })
    })

    it('leaves the task active while there is something left to do', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const before = await found(rig, 'a')
      await drive(rig, lease, [outcomes('a').complete])
      expect(await found(rig, 'a')).toEqual({ ...before, updatedAt: rig.now() })
    })

    it('lets a task wait for a human, out of every loop’s reach', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      await drive(rig, lease, toWaiting('a'))
      expect(await found(rig, 'a')).toMatchObject({
        status: 'waiting',
        assignee: null,
        leaseExpiresAt: null,
        fence: lease.fence + 1,
        failReason: 'no such table',
      })
      expect(await rig.store.tasks.claimable(SCOPE, 9)).toEqual([])
      expect(await rig.store.builds.find(BUILD)).toMatchObject({ lastError: 'no such table' })
    })

    it('rewrites the task that an intervention mended', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const mended = { title: 'Do a, smaller', steps: ['first the table'] }
      await drive(rig, lease, [
        outcomes('a').stuck,
        intervened('a', { type: 'fixed', technique: 'fresh_start', task: mended }),
      ])
      expect(await found(rig, 'a')).toMatchObject({ ...mended, status: 'active', fence: lease.fence })
    })

    it('holds for a lease that ran out while nobody else claimed the task', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      rig.pass(LEASE_SECONDS * 5_000)
      await drive(rig, lease, toDone('a'))
      expect((await found(rig, 'a')).status).toBe('done')
    })

    it('of a fact that does not fit leaves nothing behind', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      const lease = await claim(rig, 'a')
      await begin(rig, lease)
      for (const fact of [outcomes('a').merged, outcomes('b').complete]) {
        const record = () => refused(rig.store.builds.record(lease, BUILD, fact))
        expect(await expectNothingChanged(rig, record)).toMatchObject(['FACT_REFUSED', expect.any(String)])
      }
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: true })
    })

    it('needs something that was begun', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      const record = () => refused(rig.store.builds.record(lease, BUILD, outcomes('a').complete))
      const expected = ['ATTEMPT_NOT_FOUND', "task 'a' has no attempt in this build yet"]
      expect(await expectNothingChanged(rig, record)).toEqual(expected)
    })
  })

  describe('a lost lease', () => {
    it.for(Object.entries(losses))('writes nothing: %s', async ([, lose]) => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      await begin(rig, lease)
      const attempt = await attemptOf(rig, 'a')
      const effect = next(attempt)
      if (effect === null) throw new Error('there is nothing to begin')
      await lose(rig)
      expect(await expectNothingChanged(rig, () => rig.store.builds.begin(lease, attempt, effect))).toEqual({
        kept: false,
      })
      expect(
        await expectNothingChanged(rig, () => rig.store.builds.record(lease, BUILD, outcomes('a').complete)),
      ).toEqual({ kept: false })
    })

    it('writes nothing, and so does one of a task that nobody has claimed', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const { fence } = await found(rig, 'a')
      const begun = () => begin(rig, { scope: SCOPE, task: taskId('a'), fence })
      expect(await expectNothingChanged(rig, begun)).toEqual({ kept: false })
    })

    it('writes nothing, and so does one of another task', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      const [a, b] = [await claim(rig, 'a'), await claim(rig, 'b')]
      const attempt = await attemptOf(rig, 'b')
      const effect = next(attempt)
      if (effect === null) throw new Error('there is nothing to begin')
      expect(await expectNothingChanged(rig, () => rig.store.builds.begin(a, attempt, effect))).toEqual({ kept: false })
      const task = await found(rig, 'b')
      expect(await rig.store.builds.begin(b, attempt, effect)).toEqual({ kept: true, resumed: false, task })
    })

    it.for<[string, Partial<Lease>]>([
      ['of a fence that is yet to come', { fence: 2 }],
      ['of another branch', { scope: { ...SCOPE, branch: 'next' } }],
      ['of an unknown task', { task: taskId('nobody') }],
    ])('writes nothing, and so does one %s', async ([, wrong]) => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      await begin(rig, lease)
      const record = () => rig.store.builds.record({ ...lease, ...wrong }, BUILD, outcomes('a').complete)
      expect(await expectNothingChanged(rig, record)).toEqual({ kept: false })
    })
  })
}
