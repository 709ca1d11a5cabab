// The parts of a split task share its interventions, whatever their names are.
import { describe, expect, it } from 'vitest'
import { CAUSES, fresh } from '../../../test/arbitraries/sample-facts.ts'
import { apply, type Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import { applyInFamily, familyOf, splittingOf } from './split-family.ts'
import { type TaskId, taskId } from '../values/id.ts'
import type { Intervention } from '../role-answers/sia.ts'

const LIMITS = { attempts: 3, interventions: 3, iterations: 10 }

function on(id: string, interventions = 0): Attempt {
  return { ...fresh(LIMITS), task: taskId(id), interventions }
}

const stuck = (id: string, attempt: number): Cause => ({
  ...CAUSES.iterationDone,
  taskId: taskId(id),
  attempt,
  iteration: 1,
  signal: { kind: 'TASK_STUCK', reason: `${id} is too much` },
})

/** After SIA has split it. */
function split(id: string, parts: readonly string[], interventions = 0): Attempt {
  const subtasks = parts.map((part) => ({ id: taskId(part), text: { title: part }, deps: [] }))
  const intervention: Intervention = { type: 'decomposed', technique: 'decomposition', subtasks }
  const asked = apply(on(id, interventions), stuck(id, 1))
  return apply(asked, {
    ...CAUSES.intervened,
    taskId: taskId(id),
    interventionNumber: interventions + 1,
    intervention,
  })
}

function kept(...attempts: readonly Attempt[]): ReadonlyMap<TaskId, Attempt> {
  return new Map(attempts.map((attempt) => [attempt.task, attempt]))
}

describe('a family', () => {
  const all = kept(
    split('shop', ['cart', 'till', 'mail']),
    split('till', ['cash', 'card'], 1),
    on('cart', 1),
    on('other', 3),
  )

  it.each([
    ['shop', { root: 'shop', depth: 0, interventions: 3, tasks: 4 }],
    ['cart', { root: 'shop', depth: 1, interventions: 3, tasks: 4 }],
    ['till', { root: 'shop', depth: 1, interventions: 2, tasks: 4 }],
    ['card', { root: 'shop', depth: 2, interventions: 4, tasks: 4 }],
    ['other', { root: 'other', depth: 0, interventions: 0, tasks: 1 }],
    ['unbegun', { root: 'unbegun', depth: 0, interventions: 0, tasks: 1 }],
  ])('of %s', (id, family) => {
    expect(familyOf(taskId(id), all)).toEqual(family)
  })

  it('is found although a record says that a task is a part of itself', () => {
    const mad = kept(split('a', ['b', 'c']), split('b', ['a', 'd']))
    expect(familyOf(taskId('d'), mad)).toMatchObject({ depth: 2 })
  })
})

describe('interventions', () => {
  const begin = split('shop', ['cart', 'till'])

  it('are shared: a part is helped while any are left', () => {
    expect(applyInFamily(on('cart', 1), stuck('cart', 1), () => kept(begin, on('cart', 1))).phase).toEqual({
      at: 'intervening',
      reason: 'cart is too much',
    })
  })

  it('are shared: then a human is asked, and told why', () => {
    const all = kept(begin, on('cart', 2), on('till'))
    for (const id of ['cart', 'till'])
      expect(applyInFamily(all.get(taskId(id)) ?? on(id), stuck(id, 1), () => all).phase).toEqual({
        at: 'escalating',
        reason: `${id} is too much\nSIA is not asked again: task shop and its parts have had as many interventions as they may have together ([limits] interventions = 3).`,
      })
  })

  it('of a task that is nobody’s part are its own', () => {
    const all = kept(begin, on('cart', 2), on('other'))
    expect(applyInFamily(on('other'), stuck('other', 1), () => all).phase.at).toBe('intervening')
  })
})

describe('splitting', () => {
  it.each<[depth: number, tasks: number, limit: number, allowed: ReturnType<typeof splittingOf>]>([
    [0, 1, 15, { partsMax: 15 }],
    [0, 1, 40, { partsMax: 15 }],
    [1, 3, 15, { partsMax: 13 }],
    [1, 14, 15, { partsMax: 2 }],
    [1, 15, 15, { refused: 'task shop has 15 parts, and no task may have more ([limits] tasks_per_plan)' }],
    [2, 4, 15, { refused: 'it is a part of a part of task shop, and no task is split more than twice' }],
  ])('at depth %i with %i tasks of %i', (depth, tasks, limit, allowed) => {
    expect(splittingOf({ root: taskId('shop'), depth, interventions: 0, tasks }, limit)).toEqual(allowed)
  })
})

it('a task that is split for ever comes to a human within the bound', () => {
  const attempts = new Map<TaskId, Attempt>()
  let asked = 0
  let task = 'a'
  for (let step = 0; step < 50; step += 1) {
    const after = applyInFamily(on(task), stuck(task, 1), () => attempts)
    attempts.set(after.task, after)
    if (after.phase.at === 'escalating') break
    asked += 1
    const parts = [`${step}-x`, `${step}-y`]
    const allowed = splittingOf(familyOf(taskId(task), attempts), 15)
    if ('refused' in allowed) break
    attempts.set(after.task, split(task, parts))
    task = parts[0] ?? ''
  }
  expect(asked).toBe(3)
})
