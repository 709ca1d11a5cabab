import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import type { PlanItem } from '../../core/plan/plan.ts'
import { inOrder } from './make-plan.ts'

const item = (id: string, deps: readonly string[] = []): PlanItem => ({
  id: taskId(id),
  text: { title: id },
  deps: deps.map(taskId),
  line: 1,
})
const shown = (items: readonly PlanItem[]): string => items.map(({ id }) => id).join(' ')

describe('the order of a plan', () => {
  it.each([
    [[item('a'), item('b')], 'a b'],
    [[item('a', ['b']), item('b'), item('c')], 'b a c'],
    [[item('a', ['c']), item('b', ['a']), item('c', ['elsewhere'])], 'c a b'],
  ])('%#', (items, ids) => {
    expect(shown(inOrder(items))).toBe(ids)
  })

  it('has whatever a task waits for before it, however it was listed', () => {
    const plan = fc
      .array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: 15 })
      .map((waits) => waits.map((some, at) => item(`t${at}`, at === 0 ? [] : some.map((n) => `t${n % at}`))))
      .chain((items) => fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length }))
    fc.assert(
      fc.property(plan, (items) => {
        const ordered = inOrder(items).map(({ id }) => id)
        expect(ordered.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
        for (const { id, deps = [] } of items)
          for (const dep of deps) expect(ordered.indexOf(dep)).toBeLessThan(ordered.indexOf(id))
      }),
    )
  })
})
