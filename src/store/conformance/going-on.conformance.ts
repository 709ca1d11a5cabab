// The transaction that records an outcome may begin the next effect.
import { describe, expect, it } from 'vitest'
import type { Effect } from '../../core/attempt/attempt.ts'
import type { Lease } from '../store.ts'
import { outcomes } from './outcomes.conformance.ts'
import {
  BUILD,
  begin,
  claim,
  expectNothingChanged,
  found,
  type OpenStore,
  type Rig,
  setUp,
  start,
} from './rig.conformance.ts'

async function begunRig(open: OpenStore): Promise<{ readonly rig: Rig; readonly lease: Lease }> {
  const rig = await setUp(open)
  await start(rig, { a: [] })
  const lease = await claim(rig, 'a')
  await begin(rig, lease)
  return { rig, lease }
}

async function keptOf({ store }: Rig) {
  const facts = (await store.builds.facts(BUILD, 0, 99)).map(({ fact }) => fact)
  return { facts, attempts: await store.builds.attempts(BUILD) }
}

export function describeGoingOn(open: OpenStore): void {
  describe('record that goes on', () => {
    const { complete, merged } = outcomes('a')

    it('leaves what recording and then beginning would leave', async () => {
      const one = await begunRig(open)
      const asked: Effect[] = []
      const goesOn = (effect: Effect): boolean => asked.push(effect) > 0
      const recorded = await one.rig.store.builds.record(one.lease, BUILD, complete, [], goesOn)
      const task = await found(one.rig, 'a')
      expect(asked.map((effect) => effect.do)).toEqual(['verify'])
      expect(recorded).toMatchObject({ kept: true, facts: [complete], begun: { kept: true, resumed: false, task } })

      const other = await begunRig(open)
      await other.rig.store.builds.record(other.lease, BUILD, complete)
      await begin(other.rig, other.lease)
      expect(await keptOf(one.rig)).toEqual(await keptOf(other.rig))
      expect(await expectNothingChanged(one.rig, () => begin(one.rig, one.lease))).toEqual({
        kept: true,
        resumed: true,
      })
    })

    it('begins nothing where that is not wanted', async () => {
      const { rig, lease } = await begunRig(open)
      const recorded = await rig.store.builds.record(lease, BUILD, complete, [], () => false)
      expect(recorded).not.toHaveProperty('begun')
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: false })
    })

    it('asks about nothing where nothing comes next, or where the lease is lost', async () => {
      const { rig, lease } = await begunRig(open)
      const never = (): boolean => expect.fail('there is nothing to begin')
      const lost = () => rig.store.builds.record({ ...lease, fence: 99 }, BUILD, complete, [], never)
      expect(await expectNothingChanged(rig, lost)).toEqual({ kept: false })
      for (const fact of [complete, outcomes('a').green, outcomes('a').approve])
        await rig.store.builds.record(lease, BUILD, fact, [], () => true)
      expect(await rig.store.builds.record(lease, BUILD, merged, [], never)).toMatchObject({ kept: true })
    })

    it('records nothing where asking fails', async () => {
      const { rig, lease } = await begunRig(open)
      const failing = () => {
        throw new Error('no')
      }
      const recording = () =>
        rig.store.builds.record(lease, BUILD, complete, [], failing).catch((error: unknown) => error)
      expect(await expectNothingChanged(rig, recording)).toMatchObject({ message: 'no' })
    })
  })
}
