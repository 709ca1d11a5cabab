import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BuildId, type TaskId, taskId } from '../values/id.ts'
import { diffPlan } from './plan.ts'
import { type ListedTask, placePlan } from './plan-placement.ts'
import { newTask, type Task, TASK_STATUSES } from '../task/task.ts'

const SPEC = 'SPEC.md'

function standing(id: string, title: string, rest: Partial<Task> = {}): Task {
  return { ...newTask(taskId(id), { title, spec: SPEC }, [], 0), ...rest }
}

const listed = (id: string, title: string, deps: string[] = [], checked = false): ListedTask => ({
  id: taskId(id),
  text: { title },
  deps: deps.map(taskId),
  line: 1,
  checked,
})

const shown = (items: readonly ListedTask[], current: readonly Task[] = []) => {
  const { items: placed, renamed, doneBefore } = placePlan(items, current, SPEC)
  return {
    items: placed.map(({ id, text, deps = [] }) => [id, text.title, ...deps].join(' ')),
    renamed: renamed.map(({ from, to }) => `${from} -> ${to}`),
    doneBefore,
  }
}

describe('a new plan', () => {
  it('takes its ids as they are where nobody has them, and its group', () => {
    const two = [listed('a', 'A'), listed('b', 'B', ['a', 'old'])]
    expect(shown(two)).toEqual({ items: ['a A', 'b B a old'], renamed: [], doneBefore: [] })
    expect(placePlan(two, [], SPEC).items.map(({ text }) => text.spec)).toEqual([SPEC, SPEC])
  })

  it.each<[string, Partial<Task>]>([
    ['other work of another plan', { spec: 'OTHER.md' }],
    ['other work of nobody', { spec: null }],
    ['the same title, done for another plan', { title: 'A', spec: 'OTHER.md', status: 'done' }],
    ['other work that is done', { status: 'done' }],
    ['work that was skipped', { title: 'A', status: 'skipped' }],
    ['work that was split', { title: 'A', status: 'split' }],
    ['work of a build that was deleted', { title: 'A', status: 'deleted', build: 'b_1' as BuildId }],
  ])('gets another id where it stands for %s', (_, rest) => {
    const items = [listed('a', 'A'), listed('b', 'B', ['a'])]
    expect(shown(items, [standing('a', 'other', rest)])).toEqual({
      items: ['a-2 A', 'b B a-2'],
      renamed: ['a -> a-2'],
      doneBefore: [],
    })
  })

  it.each<[string, Partial<Task>, string[]]>([
    ['the same work, unfinished', {}, []],
    ['the same task with another text', { title: 'before' }, []],
    ['the same work, being done', { status: 'active' }, []],
    ['the same work, done', { status: 'done' }, ['a']],
    ['the same work that a person wrote down', { spec: null }, []],
    ['work that was never begun and deleted', { title: 'x', spec: 'OTHER.md', status: 'deleted' }, []],
  ])('keeps an id that stands for %s', (_, rest, doneBefore) => {
    expect(shown([listed('a', 'A')], [standing('a', 'A', rest)])).toEqual({ items: ['a A'], renamed: [], doneBefore })
  })

  it('planned again finds the id that it was given', () => {
    const taken = standing('a', 'other', { spec: 'OTHER.md' })
    const own = standing('a-2', 'A')
    expect(shown([listed('a', 'A')], [taken, own]).items).toEqual(['a-2 A'])
    expect(shown([listed('a', 'A new')], [taken, own]).items).toEqual(['a-3 A new'])
    expect(shown([listed('a', 'A'), listed('a-2', 'B')], [taken]).items).toEqual(['a-3 A', 'a-2 B'])
  })

  it('leaves out what is checked off, unless the store has it', () => {
    const items = [listed('a', 'A', [], true), listed('b', 'B', [], true), listed('c', 'C', ['a', 'b'])]
    expect(shown(items, [standing('b', 'B as it was')])).toEqual({
      items: ['b B as it was', 'c C b'],
      renamed: [],
      doneBefore: [],
    })
  })
})

const word = fc.constantFrom('a', 'b', 'c', 'a-2', 'b-2', 'a-3')

describe('any plan', () => {
  it('gets ids that are all different, changes no settled task and no other plan, and stays as it is a second time', () => {
    const tasks = fc.uniqueArray(
      fc.record({
        id: word,
        title: fc.constantFrom('A', 'B', 'C'),
        spec: fc.constantFrom(SPEC, 'OTHER.md', null),
        status: fc.constantFrom(...TASK_STATUSES),
        inBuild: fc.boolean(),
      }),
      { selector: ({ id }) => id },
    )
    const plan = fc.uniqueArray(
      fc.record({ id: word, title: fc.constantFrom('A', 'B', 'C'), checked: fc.boolean(), waits: fc.nat() }),
      { selector: ({ id }) => id, minLength: 1 },
    )
    fc.assert(
      fc.property(tasks, plan, (there, wanted) => {
        const current = there.map(({ id, inBuild, ...rest }) =>
          standing(id, rest.title, { ...rest, build: inBuild ? ('b_1' as BuildId) : null }),
        )
        const items = wanted.map(({ id, title, checked, waits }, at) =>
          listed(id, title, at === 0 ? [] : [wanted[waits % at]?.id ?? id], checked),
        )
        const placed = placePlan(items, current, SPEC)
        expect(new Set(placed.items.map(({ id }) => id)).size).toBe(placed.items.length)
        const diff = diffPlan(current, placed.items, 1)
        const touched = new Set<TaskId>([...diff.updated, ...diff.deleted].map(({ id }) => id))
        const others = current.filter(
          ({ id, spec, title, status }) =>
            touched.has(id) &&
            (status === 'done' || spec === 'OTHER.md' || (spec === null && wanted.every((one) => one.title !== title))),
        )
        expect(others).toEqual([])
        const after = new Map(current.map((task) => [task.id, task]))
        for (const task of [...diff.inserted, ...diff.updated, ...diff.deleted]) after.set(task.id, task)
        expect(placePlan(items, [...after.values()], SPEC).items).toEqual(placed.items)
      }),
      { numRuns: 2_000 },
    )
  })
})
