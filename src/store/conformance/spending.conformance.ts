// The use of sessions and their reservations: across loops, handles and the deaths of both.
import { describe, expect, it } from 'vitest'
import { type Budget, NO_BUDGET } from '../../core/money/budget.ts'
import { type BuildId, taskId } from '../../core/values/id.ts'
import { NOTHING, type SessionMark, type Used } from '../../core/money/spending.ts'
import type { Reservation, Store } from '../store.ts'
import {
  agent,
  BUILD,
  build,
  claim,
  LEASE_SECONDS,
  type OpenStore,
  refused,
  type Rig,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const TEN: Budget = { usd: 10, tokens: null }

function session(task: string | null, loop = 'loop-1', rest: Partial<SessionMark> = {}): SessionMark {
  const of = { build: BUILD, task: task === null ? null : taskId(task), loop: agent(loop) }
  return { ...of, attempt: 1, iteration: 1, role: 'implementer', agent: 'claude', ...rest }
}

const used = (costUsd: number | null, inputTokens = 100): Used => ({ inputTokens, outputTokens: 10, costUsd })

/** Tasks a, b and c, each held by a loop of its own. */
async function held(open: OpenStore): Promise<Rig> {
  const rig = await setUp(open)
  await start(rig, { a: [], b: [], c: [] })
  for (const [at, id] of ['a', 'b', 'c'].entries()) await claim(rig, id, `loop-${at + 1}`)
  return rig
}

async function granted(store: Store, mark: SessionMark, budget: Budget = TEN) {
  const found = await store.spending.reserve(mark, budget)
  if (found.is !== 'granted') throw new Error(`nothing was granted: ${found.is}`)
  return found
}

const ended = (usage: Used, failure: string | null = null) => ({ used: usage, durationMs: 5_000, failure })

export function describeSpending(open: OpenStore): void {
  describe('spending', () => {
    it('keeps every session: open, settled, and what it had said when its loop was lost', async () => {
      const rig = await held(open)
      const { spending } = rig.store
      const [one, two] = [session('a'), session('b', 'loop-2', { role: 'reviewer', attempt: 2, iteration: 3 })]
      const first = await granted(rig.store, one)
      const second = await granted(rig.store, two)
      const startedAt = rig.now()
      rig.pass(7_000)
      await spending.note(second.id, used(null, 40), TEN)
      await spending.settle(first.id, ended(used(0.5), 'timedOut'))
      const [settled, noted] = [
        { ...one, state: 'settled', startedAt, durationMs: 5_000, used: used(0.5), failure: 'timedOut' },
        { ...two, state: 'open', startedAt, durationMs: 7_000, used: used(null, 40), failure: null },
      ]
      expect(await (await rig.again()).spending.list(BUILD)).toEqual([settled, noted])
      rig.pass(LEASE_SECONDS * 1000)
      const third = session(null, 'loop-9')
      await granted(rig.store, third)
      const last = { ...third, state: 'open', startedAt: rig.now(), durationMs: 0, used: NOTHING, failure: null }
      expect(await spending.list(BUILD)).toEqual([settled, { ...noted, state: 'lost' }, last])
      expect(await spending.list('b9' as BuildId)).toEqual([])
    })

    it('what is set aside is not there for others, and comes back when less was used', async () => {
      const rig = await held(open)
      const [one, other] = [rig.store, await rig.again()]
      const small: Budget = { usd: 0.4, tokens: null }
      // The first session of a small budget gets a tenth; a known price then determines the need of the next ones.
      const first = await granted(one, session('a'), small)
      await one.spending.settle(first.id, ended(used(0.3)))
      const second = await granted(other, session('a'), small)
      expect(second.allowed.usd).toBeCloseTo(0.1)
      expect(await one.spending.reserve(session('b', 'loop-2'), small)).toEqual({ is: 'held' })
      await other.spending.settle(second.id, ended(used(0)))
      expect(await one.spending.reserve(session('b', 'loop-2'), small)).toMatchObject({ is: 'granted' })
      expect((await one.spending.charged(BUILD)).usd).toBeCloseTo(0.4)
    })

    it('a session grows while something is left, and no further', async () => {
      const rig = await held(open)
      const { spending } = rig.store
      const one = await granted(rig.store, session('a'))
      const two = await granted(rig.store, session('b', 'loop-2'))
      expect([one.allowed.usd, two.allowed.usd, one.budget]).toEqual([1, 1, TEN])
      const at = async (usd: number) => (await spending.note(one.id, used(usd), TEN))?.allowed.usd
      expect([await at(0.9), await at(1), await at(8.5), await at(9.5)]).toEqual([1, 2, 9, 9])
      expect((await spending.charged(BUILD)).usd).toBe(10.5)
      await spending.settle(two.id, ended(used(0.25)))
      expect(await at(9.5)).toBe(9.75)
    })

    it('is refused once all is spent, with what was', async () => {
      const rig = await held(open)
      const { id } = await granted(rig.store, session('a'))
      await rig.store.spending.settle(id, ended(used(10.5)))
      const refusal: Reservation = { is: 'spent', budget: TEN, charged: { usd: 10.5, tokens: 110 } }
      expect(await rig.store.spending.reserve(session('b', 'loop-2'), TEN)).toEqual(refusal)
    })

    it('what nobody holds any more is counted, and waited for by nobody', async () => {
      const rig = await held(open)
      const tight: Budget = { usd: null, tokens: 1_000 }
      const { id } = await granted(rig.store, session('a'), tight)
      await rig.store.spending.note(id, used(null, 990), tight)
      const next = session('b', 'loop-2')
      expect(await rig.store.spending.reserve(next, tight)).toEqual({ is: 'held' })
      rig.pass(LEASE_SECONDS * 1000)
      expect(await rig.store.spending.reserve(next, tight)).toMatchObject({ is: 'spent', charged: { tokens: 1_000 } })
      // The loop was only slow: it knows its use, and no other loop reports it.
      expect(await rig.store.spending.note(id, used(null, 995), tight)).toBeNull()
      await rig.store.spending.settle(id, ended(used(null, 500)))
      expect((await rig.store.spending.charged(BUILD)).tokens).toBe(510)
    })

    it('who takes a task over begins anew, and what was set aside before stays counted', async () => {
      const rig = await held(open)
      await granted(rig.store, session('a'))
      const again = await granted(rig.store, session('a'))
      expect((await rig.store.spending.list(BUILD)).map(({ state }) => state)).toEqual(['lost', 'open'])
      expect(again.allowed.usd).toBe(1)
      expect((await rig.store.spending.charged(BUILD)).usd).toBe(2)
    })

    it('a session of the whole build is alive while its loop is', async () => {
      const rig = await held(open)
      const loop = { id: agent('loop-9'), pid: 1, hostname: 'box', startedAt: 0 }
      await rig.store.agents.register(loop)
      await granted(rig.store, session(null, 'loop-9'))
      await granted(rig.store, session('a'))
      await rig.store.agents.deregister(loop.id)
      await granted(rig.store, session('b', 'loop-2'))
      expect((await rig.store.spending.list(BUILD)).map(({ state }) => state)).toEqual(['lost', 'open', 'open'])
    })

    it('a session that chose its task itself is counted for that', async () => {
      const rig = await held(open)
      const { id } = await granted(rig.store, session(null))
      const about = { task: taskId('b'), attempt: 2, iteration: 3 }
      await rig.store.spending.settle(id, { ...ended(used(0.5)), about })
      expect(await rig.store.spending.list(BUILD)).toMatchObject([{ ...about, used: used(0.5) }])
    })

    it('a price that is not named is taken from what the agent’s tokens cost before', async () => {
      const rig = await held(open)
      const { spending } = rig.store
      const first = await granted(rig.store, session('a'))
      expect(first.rate).toBeNull()
      await spending.settle(first.id, ended({ inputTokens: 900, outputTokens: 100, costUsd: 2 }))
      const second = await granted(rig.store, session('a'))
      expect(second).toMatchObject({ rate: 0.002, allowed: { usd: 2 } })
      await spending.settle(second.id, ended({ inputTokens: 500, outputTokens: 0, costUsd: null }, 'killed'))
      expect(await spending.charged(BUILD)).toEqual({ usd: 3, tokens: 1_500 })
      const other = await granted(rig.store, session('b', 'loop-2', { agent: 'codex' }))
      expect(other.rate).toBeNull()
      const own = 'b2' as BuildId
      await rig.store.builds.create(SCOPE, build(rig, own), [])
      expect((await granted(rig.store, session(null, 'loop-1', { build: own }))).rate).toBe(0.002)
    })

    it('a budget that is set counts from then on for everybody', async () => {
      const rig = await held(open)
      const other = await rig.again()
      expect(await other.spending.budget(BUILD)).toBeNull()
      await rig.store.spending.setBudget(BUILD, { usd: 5, tokens: 700 })
      await rig.store.spending.setBudget(BUILD, { usd: 3, tokens: null })
      expect(await other.spending.budget(BUILD)).toEqual({ usd: 3, tokens: null })
      const found = await granted(other, session('a'), NO_BUDGET)
      expect(found).toMatchObject({ budget: { usd: 3, tokens: null }, allowed: { usd: 0.3 } })
      expect(await refused(other.spending.setBudget('b9' as BuildId, TEN))).toEqual([
        'BUILD_NOT_FOUND',
        "build 'b9' not found",
      ])
    })

    it('builds do not pay for each other', async () => {
      const rig = await held(open)
      const own = 'b2' as BuildId
      await rig.store.builds.create(SCOPE, build(rig, own), [])
      const { id } = await granted(rig.store, session('a'))
      await rig.store.spending.settle(id, ended(used(10)))
      expect(await rig.store.spending.reserve(session(null, 'loop-1', { build: own }), TEN)).toMatchObject({
        is: 'granted',
        allowed: { usd: 1 },
      })
    })

    it('handles that reserve at the same time are never granted more than there is', async () => {
      const rig = await held(open)
      const stores = await Promise.all([rig.store, rig.again(), rig.again()])
      const tight: Budget = { usd: 1, tokens: null }
      const found = await Promise.all(
        ['a', 'b', 'c'].map((id, at) =>
          (stores[at] ?? rig.store).spending.reserve(session(id, `loop-${at + 1}`), tight),
        ),
      )
      const sum = found.reduce((all, one) => all + (one.is === 'granted' ? one.allowed.usd : 0), 0)
      expect(sum).toBeCloseTo((await rig.store.spending.charged(BUILD)).usd)
      expect(sum).toBeLessThanOrEqual(1)
    })
  })

  describe('notices', () => {
    it('are told by one, once, and again only by who comes after one that was killed', async () => {
      const rig = await held(open)
      const [one, other] = [rig.store.notices, (await rig.again()).notices]
      expect([await one.claim(BUILD, 3, 60_000), await other.claim(BUILD, 3, 60_000)]).toEqual(['ours', 'busy'])
      expect(await other.claim(BUILD, 4, 60_000)).toBe('ours')
      await other.told(BUILD, 4)
      rig.pass(59_999)
      await one.renew(BUILD, 3, 60_000)
      rig.pass(59_999)
      expect(await other.claim(BUILD, 3, 60_000)).toBe('busy')
      rig.pass(1)
      expect([await other.claim(BUILD, 3, 60_000), await other.claim(BUILD, 4, 60_000)]).toEqual(['ours', 'told'])
    })
  })
}
