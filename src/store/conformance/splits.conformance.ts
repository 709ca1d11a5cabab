// A task that SIA split: its parts replace it.
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import { claimOf } from '../../core/task/claim.ts'
import { markDeleted } from '../../core/task/task.ts'
import { outcomes, splitInto, toDone, type Part } from './outcomes.conformance.ts'
import {
  attemptOf,
  begin,
  BUILD,
  claim,
  drive,
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

const parts: readonly Part[] = [{ id: 'b1' }, { id: 'b2', deps: ['b1'] }, { id: 'b3', text: { steps: ['x'] } }]

const order = async (rig: Rig) => (await rig.store.tasks.list(SCOPE, {})).map((one) => one.id)

export function describeSplits(open: OpenStore): void {
  describe('a split', () => {
    it('puts the parts in the place of the whole, in its build', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [], c: [] })
      const lease = await claim(rig, 'b')
      await drive(rig, lease, [outcomes('b').stuck, splitInto('b', parts)])
      expect(await order(rig)).toEqual(['a', 'b', 'b1', 'b2', 'b3', 'c'])
      expect(await found(rig, 'b')).toMatchObject({ status: 'split', assignee: null, fence: lease.fence + 1 })
      expect(await found(rig, 'b2')).toMatchObject({ title: 'Do b2', deps: ['b1'], status: 'open', build: BUILD })
      expect(await found(rig, 'b3')).toMatchObject({
        steps: ['x'],
        deps: [],
        priority: (await found(rig, 'b')).priority,
      })
      const { fact } = (await rig.store.builds.facts(BUILD, 0, 99)).at(-1) ?? {}
      expect(fact).toEqual({ type: 'siaDecomposed', originalTaskId: 'b', newTaskCount: 3 })
    })

    it('lets a part claim what the whole claims, unless it has a type', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      await rig.store.tasks.change(SCOPE, taskId('b'), (whole) => ({ ...whole, title: 'Rename it' }))
      const named: readonly Part[] = [{ id: 'b1' }, { id: 'b2', text: { type: 'api' } }]
      await drive(rig, await claim(rig, 'b'), [outcomes('b').stuck, splitInto('b', named)])
      expect(claimOf(await found(rig, 'b1'))).toEqual({ claim: 'none', from: 'title', word: 'Rename' })
      expect(claimOf(await found(rig, 'b2'))).toEqual({ claim: 'behaviour', from: 'type', word: 'api' })
    })

    it('of the last task, and of a part again, keeps the order', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      await drive(rig, await claim(rig, 'b'), [outcomes('b').stuck, splitInto('b', [{ id: 'b1' }, { id: 'b2' }])])
      await drive(rig, await claim(rig, 'b1'), [outcomes('b1').stuck, splitInto('b1', [{ id: 'b1a' }, { id: 'b1b' }])])
      await plant(rig, { c: [] })
      expect(await order(rig)).toEqual(['a', 'b', 'b1', 'b1a', 'b1b', 'b2', 'c'])
    })

    it('keeps the order when the same place is split again and again', async () => {
      const rig = await setUp(open)
      await start(rig, { p: [], z: [] })
      let last = 'p'
      const line = ['p']
      // As often as SIA may be asked for a task and its parts.
      for (let depth = 1; depth <= 3; depth += 1) {
        const names = [`${depth}x`, `${depth}y`, `${depth}z`]
        await drive(rig, await claim(rig, last), [
          outcomes(last).stuck,
          splitInto(
            last,
            names.map((id) => ({ id })),
          ),
        ])
        line.splice(line.indexOf(last) + 1, 0, ...names)
        last = `${depth}y`
      }
      expect(await order(rig)).toEqual([...line, 'z'])
    })

    it('shares the interventions: after the last one a human is asked, and told why', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], z: [] })
      await drive(rig, await claim(rig, 'a'), [outcomes('a').stuck, splitInto('a', [{ id: 'x' }, { id: 'y' }])])
      await drive(rig, await claim(rig, 'x'), [outcomes('x').stuck, splitInto('x', [{ id: 'v' }, { id: 'w' }])])
      await drive(rig, await claim(rig, 'v'), [outcomes('v').stuck, splitInto('v', [{ id: 's' }, { id: 't' }])])
      for (const id of ['y', 's']) {
        await drive(rig, await claim(rig, id), [outcomes(id).stuck, outcomes(id).humanNeeded])
        expect(await found(rig, id)).toMatchObject({
          status: 'waiting',
          failReason: expect.stringContaining('no such table\nSIA is not asked again: task a and its parts have had'),
        })
      }
      await drive(rig, await claim(rig, 'z'), [outcomes('z').stuck])
      expect((await attemptOf(rig, 'z')).phase.at).toBe('intervening')
    })

    it('lets dependants wait for all parts', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [], c: ['a', 'b'], d: ['b'] })
      await drive(rig, await claim(rig, 'a'), toDone('a'))
      await drive(rig, await claim(rig, 'b'), [outcomes('b').stuck, splitInto('b', parts)])
      expect((await found(rig, 'c')).deps).toEqual(['a', 'b', 'b1', 'b2', 'b3'])
      for (const part of ['b1', 'b2', 'b3']) {
        const claimable = (await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)
        expect(claimable.filter((id) => id === 'c' || id === 'd')).toEqual([])
        await drive(rig, await claim(rig, part), toDone(part))
      }
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['c', 'd'])
    })

    it.for<[name: string, parts: readonly Part[], code: string]>([
      ['an id that exists', [{ id: 'b1' }, { id: 'a' }], 'TASK_EXISTS'],
      ['an id that was deleted', [{ id: 'gone' }], 'TASK_EXISTS'],
      ['its own id', [{ id: 'b' }], 'TASK_EXISTS'],
      ['the same id twice', [{ id: 'b1' }, { id: 'b1' }], 'TASK_EXISTS'],
      ['a dependency that does not exist', [{ id: 'b1' }, { id: 'b2', deps: ['nobody'] }], 'TASK_NOT_FOUND'],
      [
        'parts that wait for each other',
        [
          { id: 'b1', deps: ['b2'] },
          { id: 'b2', deps: ['b1'] },
        ],
        'DEPENDENCY_CYCLE',
      ],
      ['a part that waits for a dependant', [{ id: 'b1', deps: ['c'] }], 'DEPENDENCY_CYCLE'],
    ])('into %s is refused whole', async ([, bad, code]) => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [], c: ['b'], gone: [] })
      await rig.store.tasks.change(SCOPE, taskId('gone'), markDeleted)
      const lease = await claim(rig, 'b')
      await drive(rig, lease, [outcomes('b').stuck])
      await begin(rig, lease)
      const split = () => refused(rig.store.builds.record(lease, BUILD, splitInto('b', bad)))
      expect(await expectNothingChanged(rig, split)).toMatchObject([code, expect.any(String)])
      expect(await begin(rig, lease)).toEqual({ kept: true, resumed: true })
    })
  })
}
