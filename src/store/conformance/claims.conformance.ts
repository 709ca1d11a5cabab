// Who gets which task, for how long, and with which fence.
import { describe, expect, it } from 'vitest'
import { type BuildId, taskId } from '../../core/values/id.ts'
import {
  claimTask,
  markCompleted,
  markFailed,
  renewLease,
  TASK_STATUSES,
  type TaskStatus,
} from '../../core/task/task.ts'
import type { ClaimRequest } from '../store.ts'
import {
  agent,
  claim,
  expectNothingChanged,
  found,
  LEASE_SECONDS,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
  task,
} from './rig.conformance.ts'

const LEASE_MS = LEASE_SECONDS * 1000
const request = (by = 'loop-1'): ClaimRequest => ({ agent: agent(by), leaseSeconds: LEASE_SECONDS })
const become = (rig: Rig, id: string, status: TaskStatus) =>
  rig.store.tasks.change(SCOPE, taskId(id), (one) => ({ ...one, status }))

export function describeClaims(open: OpenStore): void {
  describe('claim', () => {
    it('takes the best: priority, then age; claimable tells the same order', async () => {
      const rig = await setUp(open)
      const planned = { low: 3, first: 1, urgent: 0, second: 1 }
      for (const [id, priority] of Object.entries(planned)) {
        await rig.store.tasks.create(SCOPE, task(rig, id, { priority }))
        rig.pass(1)
      }
      const order = ['urgent', 'first', 'second', 'low']
      for (const limit of [1, 3, 4, 9]) {
        const claimable = await rig.store.tasks.claimable(SCOPE, limit)
        expect(claimable.map((one) => one.id)).toEqual(order.slice(0, limit))
      }
      const taken: (string | undefined)[] = []
      for (const _ of order) taken.push((await rig.store.tasks.claim(SCOPE, request()))?.task.id)
      expect(taken).toEqual(order)
      expect(await rig.store.tasks.claim(SCOPE, request())).toBeNull()
      expect(await rig.store.tasks.claimable(SCOPE, 9)).toEqual([])
    })

    it('gives a lease and a larger fence, and keeps both', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const before = await found(rig, 'a')
      rig.pass(250)
      const got = await rig.store.tasks.claim(SCOPE, request())
      const expected = claimTask(before, agent('loop-1'), LEASE_SECONDS, rig.now())
      expect(expected).toMatchObject({ status: 'active', fence: 1, leaseExpiresAt: rig.now() + LEASE_MS })
      expect(got).toEqual({ task: expected, blockerResults: [] })
      expect(await found(rig, 'a')).toEqual(expected)
    })

    it('takes the task into the build that asks, and leaves it where none asks', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const build = 'b1' as BuildId
      expect((await rig.store.tasks.claim(SCOPE, { ...request(), build }))?.task.build).toBe(build)
      rig.pass(LEASE_MS)
      expect((await rig.store.tasks.claim(SCOPE, request()))?.task.build).toBe(build)
      expect((await found(rig, 'a')).build).toBe(build)
    })

    const holdsUp: Readonly<Record<TaskStatus, boolean>> = {
      open: true,
      active: true,
      waiting: true,
      done: false,
      skipped: false,
      split: false,
      deleted: false,
    }
    it.for(TASK_STATUSES)('waits for a blocker that is unfinished; here it is %s', async (status) => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: ['b', 'a'] })
      await become(rig, 'b', 'done')
      await become(rig, 'a', status)
      const got = await rig.store.tasks.claim(SCOPE, { ...request(), id: taskId('c') })
      expect(got?.task.id ?? null).toBe(holdsUp[status] ? null : 'c')
    })

    it('hands over what the blockers left, in the order of the dependencies', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [], d: [], e: ['c', 'b', 'd', 'a'] })
      for (const [id, result] of [
        ['a', { commit: 'c-a', note: [1] }],
        ['b', null],
        ['c', { commit: null }],
      ] as const) {
        await claim(rig, id)
        await rig.store.tasks.change(SCOPE, taskId(id), (one, now) => markCompleted(one, null, result, now))
      }
      await become(rig, 'd', 'skipped')
      expect((await rig.store.tasks.claim(SCOPE, request()))?.blockerResults).toEqual([
        { id: 'c', result: { commit: null } },
        { id: 'a', result: { commit: 'c-a', note: [1] } },
      ])
    })
  })

  describe('the end of a lease', () => {
    it('frees the task at that very millisecond, with a larger fence and one more retry', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      await claim(rig, 'a')
      rig.pass(LEASE_MS - 1)
      expect(await rig.store.tasks.claimable(SCOPE, 5)).toEqual([])
      expect(await rig.store.tasks.claim(SCOPE, request('loop-2'))).toBeNull()
      rig.pass(1)
      const held = await found(rig, 'a')
      expect(await rig.store.tasks.claimable(SCOPE, 5)).toEqual([held])
      const got = await rig.store.tasks.claim(SCOPE, request('loop-2'))
      expect(got?.task).toEqual({
        ...held,
        assignee: 'loop-2',
        leaseExpiresAt: rig.now() + LEASE_MS,
        fence: 2,
        retryCount: 1,
        updatedAt: rig.now(),
      })
    })

    it('is put off by whoever renews', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      await claim(rig, 'a')
      rig.pass(LEASE_MS - 1)
      await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) =>
        renewLease(one, agent('loop-1'), LEASE_SECONDS, now),
      )
      rig.pass(LEASE_MS - 1)
      expect(await rig.store.tasks.claim(SCOPE, request('loop-2'))).toBeNull()
      rig.pass(1)
      expect((await rig.store.tasks.claim(SCOPE, request('loop-2')))?.task.fence).toBe(2)
    })

    it('has come at once for a lease of no time', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const fences: (number | undefined)[] = []
      for (const by of ['loop-1', 'loop-2', 'loop-3'])
        fences.push((await rig.store.tasks.claim(SCOPE, { agent: agent(by), leaseSeconds: 0 }))?.task.fence)
      expect(fences).toEqual([1, 2, 3])
    })

    it('has come where the clock was set back by more than the lease is long', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      await claim(rig, 'a')
      rig.pass(-LEASE_MS)
      expect(await rig.store.tasks.claimable(SCOPE, 5)).toEqual([])
      rig.pass(-1)
      expect(await rig.store.tasks.claimable(SCOPE, 5)).toEqual([await found(rig, 'a')])
      expect((await rig.store.tasks.claim(SCOPE, { ...request('loop-2'), id: taskId('a') }))?.task.fence).toBe(2)
    })

    it('puts the task back where it stands in the plan, among the open ones', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [], d: [], e: [] })
      await claim(rig, 'd')
      await claim(rig, 'b')
      rig.pass(LEASE_MS)
      await claim(rig, 'a')
      const claimable = async (limit: number) => (await rig.store.tasks.claimable(SCOPE, limit)).map((one) => one.id)
      expect(await claimable(9)).toEqual(['b', 'c', 'd', 'e'])
      expect(await claimable(3)).toEqual(['b', 'c', 'd'])
      expect((await rig.store.tasks.claim(SCOPE, request()))?.task.id).toBe('b')
    })

    it('does not free a task that has got an unfinished blocker meanwhile', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'] })
      await become(rig, 'a', 'done')
      await claim(rig, 'b')
      await become(rig, 'a', 'open')
      rig.pass(LEASE_MS)
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['a'])
    })

    // A minute back, an hour and ten years ahead.
    it.for([-60_000, 3_600_000, 315_360_000_000])('is read off a clock that jumps by %i ms', async (jump) => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const first = await claim(rig, 'a')
      rig.pass(jump)
      const second = await rig.store.tasks.claim(SCOPE, request('loop-2'))
      expect(second?.task.fence ?? null).toBe(jump < 0 ? null : first.fence + 1)
      const holder = (await found(rig, 'a')).assignee
      expect(holder).toBe(jump < 0 ? 'loop-1' : 'loop-2')
    })

    it('cannot be put off past what a number can hold', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const far = { agent: agent('loop-1'), leaseSeconds: 1e14 }
      const attempt = () => refused(rig.store.tasks.claim(SCOPE, far))
      expect(await expectNothingChanged(rig, attempt)).toMatchObject(['LEASE_BAD', expect.any(String)])
    })
  })

  describe('a claim by name', () => {
    it('takes the named task, though others are better', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [] })
      expect((await rig.store.tasks.claim(SCOPE, { ...request(), id: taskId('b') }))?.task.id).toBe('b')
    })

    it('takes one whose lease ran out', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [] })
      await claim(rig, 'b')
      rig.pass(LEASE_MS)
      const got = await rig.store.tasks.claim(SCOPE, { ...request('loop-2'), id: taskId('b') })
      expect(got?.task).toMatchObject({ assignee: 'loop-2', fence: 2, retryCount: 1 })
    })

    it.for([
      ...TASK_STATUSES.filter((status) => status !== 'open' && status !== 'active'),
      'held by another',
      'blocked',
      'unknown',
    ] as const)('takes nothing else in its place where it is %s', async (how) => {
      const rig = await setUp(open)
      await plant(rig, { other: [] })
      if (how === 'blocked') await plant(rig, { a: ['other'] })
      else if (how !== 'unknown') await plant(rig, { a: [] })
      if (how === 'held by another') await claim(rig, 'a')
      else if (how !== 'blocked' && how !== 'unknown') await become(rig, 'a', how)
      const named = () => rig.store.tasks.claim(SCOPE, { ...request('loop-2'), id: taskId('a') })
      expect(await expectNothingChanged(rig, named)).toBeNull()
    })
  })

  it('every change of hands takes a larger fence', async () => {
    const rig = await setUp(open)
    await plant(rig, { a: [] })
    const fences: number[] = []
    for (let round = 0; round < 4; round += 1) {
      fences.push((await claim(rig, 'a')).fence)
      if (round % 2 === 0) rig.pass(LEASE_MS)
      else await rig.store.tasks.change(SCOPE, taskId('a'), (one, now) => markFailed(one, null, 'no', now))
    }
    expect(fences).toEqual([...new Set(fences)].toSorted((one, other) => one - other))
    expect((await found(rig, 'a')).fence).toBeGreaterThan(fences.at(-1) ?? Infinity)
  })
}
