// Waiting for a change by any process.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import type { Store } from '../store.ts'
import { outcomes } from './outcomes.conformance.ts'
import {
  agent,
  begin,
  BUILD,
  claim,
  LEASE_SECONDS,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
  start,
  task,
} from './rig.conformance.ts'

const TOLD = { done: false, value: undefined }
const ENDED = { done: true, value: undefined }
const WAKES_MEASURED = 5
/** A listener that hears nothing for this many times the slowest wake of the same run hears nothing. */
const QUIET_WAKES = 20

function listen(store: Store): { readonly next: () => Promise<unknown>; readonly abort: () => void } {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const told = store.changes(over.signal)[Symbol.asyncIterator]()
  return { next: () => told.next(), abort: () => over.abort() }
}

/** How long to listen before a store counts as quiet. */
async function quietMs(open: OpenStore): Promise<number> {
  const rig = await setUp(open)
  const writer = await rig.again()
  const { next, abort } = listen(rig.store)
  let slowest = 0
  for (let count = 0; count < WAKES_MEASURED; count += 1) {
    const woken = next()
    const from = performance.now()
    await create(rig, writer, `t${count}`)
    await woken
    slowest = Math.max(slowest, performance.now() - from)
  }
  abort()
  return QUIET_WAKES * slowest
}

const create = (rig: Rig, store: Store, id: string) => store.tasks.create(SCOPE, task(rig, id))

export function describeChanges(open: OpenStore): void {
  describe('changes', () => {
    it('wakes for what another handle wrote, and it is there to be seen', async () => {
      const rig = await setUp(open)
      const other = await rig.again()
      const { next } = listen(rig.store)
      for (const id of ['a', 'b', 'c']) {
        const woken = next()
        await create(rig, other, id)
        expect(await woken).toEqual(TOLD)
        expect(await rig.store.tasks.find(SCOPE, taskId(id))).not.toBeNull()
      }
    })

    it('wakes for what this handle wrote', async () => {
      const rig = await setUp(open)
      const { next } = listen(rig.store)
      const woken = next()
      await create(rig, rig.store, 'a')
      expect(await woken).toEqual(TOLD)
    })

    it('wakes everyone who listens', async () => {
      const rig = await setUp(open)
      const other = await rig.again()
      const listeners = [rig.store, rig.store, other].map(listen)
      const woken = listeners.map(({ next }) => next())
      await create(rig, other, 'a')
      expect(await Promise.all(woken)).toEqual([TOLD, TOLD, TOLD])
    })

    it.for(['another handle', 'this handle'])('tells what %s changed before the listener asked', async (who) => {
      const rig = await setUp(open)
      const writer = who === 'this handle' ? rig.store : await rig.again()
      const { next } = listen(rig.store)
      await create(rig, writer, 'a')
      expect(await next()).toEqual(TOLD)
      await create(rig, writer, 'b')
      expect(await next()).toEqual(TOLD)
    })

    it('tells many changes once', async () => {
      const rig = await setUp(open)
      const other = await rig.again()
      const quiet = await quietMs(open)
      const { next } = listen(rig.store)
      for (let count = 0; count < 20; count += 1) await create(rig, count % 2 === 0 ? other : rig.store, `t${count}`)
      expect(await next()).toEqual(TOLD)
      let told = 1
      while (told < 20 && (await Promise.race([next(), sleep(quiet, null)])) !== null) told += 1
      expect(told).toBeLessThan(5)
    })

    it('says nothing where nothing changed', async () => {
      const rig = await setUp(open)
      const other = await rig.again()
      await start(rig, { a: [], b: ['a'] })
      const lease = await claim(rig, 'a')
      await begin(rig, lease)
      const quiet = await quietMs(open)
      const plan = [{ id: taskId('c'), text: { title: 'C', spec: 's' }, line: 1 }]
      await rig.store.tasks.syncPlan(SCOPE, plan)
      await rig.store.tasks.claim(SCOPE, { agent: agent('loop-1'), leaseSeconds: LEASE_SECONDS, id: taskId('c') })

      const { next } = listen(rig.store)
      const woken = next()
      for (const store of [other, rig.store]) {
        expect(await store.tasks.claim(SCOPE, { agent: agent('loop-2'), leaseSeconds: 60 })).toBeNull()
        await store.tasks.list(SCOPE, {})
        await store.tasks.syncPlan(SCOPE, plan)
        await store.tasks.block(SCOPE, taskId('b'), taskId('a'))
        await store.tasks.change(SCOPE, taskId('b'), (one) => one)
        await store.builds.record({ ...lease, fence: 0 }, BUILD, outcomes('a').complete)
        expect(await refused(store.builds.record(lease, BUILD, outcomes('a').merged))).not.toBeNull()
        expect(await refused(store.tasks.create(SCOPE, task(rig, 'a')))).not.toBeNull()
      }
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: true })
      expect(await Promise.race([woken, sleep(quiet, 'quiet')])).toBe('quiet')
      await plant(rig, { d: [] })
      expect(await woken).toEqual(TOLD)
    })

    it('ends when it is told to', async () => {
      const rig = await setUp(open)
      const { next, abort } = listen(rig.store)
      const waiting = next()
      abort()
      expect(await waiting).toEqual(ENDED)
      expect(await next()).toEqual(ENDED)
    })

    it('ends when it was told to before it began', async () => {
      const rig = await setUp(open)
      const told = rig.store.changes(AbortSignal.abort())[Symbol.asyncIterator]()
      expect(await told.next()).toEqual(ENDED)
    })

    it('ends with the store', async () => {
      const rig = await setUp(open)
      const store = await rig.again()
      const { next } = listen(store)
      const waiting = next()
      store.close()
      expect(await waiting).toEqual(ENDED)
    })

    it('misses nothing: who sleeps when nothing is ready has done all in the end', async () => {
      const rig = await setUp(open)
      const writer = await rig.again()
      const over = new AbortController()
      onTestFinished(() => over.abort())
      const total = 100
      const taken: string[] = []
      const changes = rig.store.changes(over.signal)
      const writing = (async () => {
        for (let count = 0; count < total; count += 1) {
          await create(rig, writer, `t${count}`)
          if (count % 7 === 0) await sleep(1)
        }
      })()
      const drain = async () => {
        for (;;) {
          const got = await rig.store.tasks.claim(SCOPE, { agent: agent('loop-1'), leaseSeconds: LEASE_SECONDS })
          if (got === null) return
          taken.push(got.task.id)
        }
      }
      await drain()
      if (taken.length < total)
        for await (const _ of changes) {
          await drain()
          if (taken.length === total) break
        }
      await writing
      expect(new Set(taken).size).toBe(total)
    })
  })
}
