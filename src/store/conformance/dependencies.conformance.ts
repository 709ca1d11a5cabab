// Dependencies between tasks, and that they never form a cycle.
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import { markDeleted } from '../../core/task/task.ts'
import { claim, expectNothingChanged, found, type OpenStore, plant, refused, SCOPE, setUp } from './rig.conformance.ts'

export function describeDependencies(open: OpenStore): void {
  describe('block', () => {
    it('makes a task wait, after what it waited for already', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: ['b'] })
      const before = await found(rig, 'c')
      rig.pass(10)
      await rig.store.tasks.block(SCOPE, taskId('c'), taskId('a'))
      expect(await found(rig, 'c')).toEqual({ ...before, deps: ['b', 'a'], updatedAt: rig.now() })
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['a', 'b'])
    })

    it('twice is no error and changes nothing', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'] })
      rig.pass(10)
      const block = () => rig.store.tasks.block(SCOPE, taskId('b'), taskId('a'))
      expect(await expectNothingChanged(rig, block)).toBeUndefined()
    })

    it.for([
      { of: 'nobody', by: 'a', refusal: ['TASK_NOT_FOUND', "task 'nobody' not found"] },
      { of: 'a', by: 'nobody', refusal: ['TASK_NOT_FOUND', "task 'nobody' not found"] },
      { of: 'done', by: 'a', refusal: ['TASK_DONE', "task 'done' is done and cannot be updated"] },
      { of: 'gone', by: 'a', refusal: ['TASK_DELETED', "task 'gone' is deleted and cannot be updated"] },
      { of: 'a', by: 'a', refusal: ['DEPENDENCY_CYCLE', 'this would make a dependency cycle: a -> a'] },
      { of: 'a', by: 'b', refusal: ['DEPENDENCY_CYCLE', 'this would make a dependency cycle: a -> b -> a'] },
      { of: 'a', by: 'd', refusal: ['DEPENDENCY_CYCLE', 'this would make a dependency cycle: a -> d -> c -> b -> a'] },
    ])('of $of by $by is refused and changes nothing', async ({ of, by, refusal }) => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'], c: ['b'], d: ['c'], done: [], gone: [] })
      await rig.store.tasks.change(SCOPE, taskId('done'), (one) => ({ ...one, status: 'done' }))
      await rig.store.tasks.change(SCOPE, taskId('gone'), markDeleted)
      const block = () => refused(rig.store.tasks.block(SCOPE, taskId(of), taskId(by)))
      expect(await expectNothingChanged(rig, block)).toEqual(refusal)
    })

    it('closes no ring of a thousand', async () => {
      const rig = await setUp(open)
      const items = Array.from({ length: 1_000 }, (_, index) => ({
        id: taskId(`t${index}`),
        text: { title: `Task ${index}` },
        deps: index === 0 ? [] : [taskId(`t${index - 1}`)],
        line: index + 1,
      }))
      await rig.store.tasks.syncPlan(SCOPE, items)
      const block = () => refused(rig.store.tasks.block(SCOPE, taskId('t0'), taskId('t999')))
      expect(await expectNothingChanged(rig, block)).toMatchObject(['DEPENDENCY_CYCLE', expect.any(String)])
    })
  })

  describe('unblock', () => {
    it('lets a task go on, and leaves what else it waits for in order', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [], d: ['a', 'b', 'c'] })
      const before = await found(rig, 'd')
      rig.pass(10)
      await rig.store.tasks.unblock(SCOPE, taskId('d'), taskId('b'))
      expect(await found(rig, 'd')).toEqual({ ...before, deps: ['a', 'c'], updatedAt: rig.now() })
      await rig.store.tasks.unblock(SCOPE, taskId('d'), taskId('a'))
      await rig.store.tasks.unblock(SCOPE, taskId('d'), taskId('c'))
      expect((await claim(rig, 'd')).fence).toBe(1)
    })

    it.for([
      { of: 'nobody', by: 'a', refusal: ['TASK_NOT_FOUND', "task 'nobody' not found"] },
      { of: 'b', by: 'nobody', refusal: ['DEPENDENCY_NOT_FOUND', 'dependency not found'] },
      { of: 'a', by: 'b', refusal: ['DEPENDENCY_NOT_FOUND', 'dependency not found'] },
    ])('of $of from $by is refused and changes nothing', async ({ of, by, refusal }) => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: ['a'] })
      const unblock = () => refused(rig.store.tasks.unblock(SCOPE, taskId(of), taskId(by)))
      expect(await expectNothingChanged(rig, unblock)).toEqual(refusal)
    })
  })
}
