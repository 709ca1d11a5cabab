import { describe, expect, it } from 'vitest'
import {
  type Draft,
  draftOf,
  faultsOf,
  planOf,
  withChange,
  withNewTask,
  withoutTask,
  withTaskMoved,
} from './plan-draft.ts'

const task = (id: string, ...deps: readonly string[]) => ({
  id,
  title: `Add ${id}`,
  goal: `There is ${id}.`,
  acceptance: [`${id} is there`, 'and tested'],
  depends_on: [...deps],
  files_expected: [`${id}.js`],
  type: 'api' as const,
})
const plan = { tasks: [task('a'), task('b', 'a'), task('c', 'b')], notes: 'So.' }
const draft = draftOf(plan)
const shape = ({ tasks }: Draft): string => tasks.map(({ id, dependsOn }) => [id, ...dependsOn].join('<')).join(' ')
const told = (one: Draft): string[] => faultsOf(one, ['old']).map(({ at, what }) => `${at}: ${what}`)

describe('a plan that somebody changes', () => {
  it('is the same where nothing was changed', () => {
    expect(planOf(draft)).toEqual(plan)
    expect(told(draft)).toEqual([])
  })

  it.for<[name: string, change: (one: Draft) => Draft, shape: string, faults: readonly string[]]>([
    ['an id that others wait for', (one) => withChange(one, 0, { id: 'z' }), 'z b<z c<b', []],
    ['a task moved down', (one) => withTaskMoved(one, 0, 1), 'b<a a c<b', []],
    ['the last moved down', (one) => withTaskMoved(one, 2, 1), 'a b<a c<b', []],
    ['the first moved up', (one) => withTaskMoved(one, 0, -1), 'a b<a c<b', []],
    [
      'a task removed that another waits for',
      (one) => withoutTask(one, 1),
      'a c<b',
      ["1: 'depends_on' names 'b', which is no task of this plan"],
    ],
    [
      'a circle',
      (one) => withChange(one, 0, { dependsOn: ['c'] }),
      'a<c b<a c<b',
      ["0: 'depends_on' goes in a circle: a -> c -> b -> a"],
    ],
    ['a task that is there already', (one) => withChange(one, 0, { dependsOn: ['old'] }), 'a<old b<a c<b', []],
    [
      'the same id twice',
      (one) => withChange(one, 2, { id: 'a' }),
      'a b<a a<b',
      ["2: its 'id' is given to more than one task"],
    ],
    [
      'a new task',
      withNewTask,
      'a b<a c<b task',
      ["3: 'title' must be a text", "3: 'goal' must be a text", "3: 'acceptance' must be a list of 1 to 100 texts"],
    ],
  ])('%s', ([, change, wanted, faults]) => {
    const after = change(draft)
    expect([shape(after), told(after)]).toEqual([wanted, faults])
  })

  it('a new task is called after its title, until somebody calls it otherwise', () => {
    const named = withChange(withNewTask(draft), 3, { title: 'A' })
    const own = withChange(withChange(named, 3, { id: 'mine' }), 3, { title: 'Another' })
    expect([shape(named), shape(own)]).toEqual(['a b<a c<b a-2', 'a b<a c<b mine'])
  })

  it('what is written line by line is a list; empty lines are none', () => {
    const lines = withChange(draft, 0, { acceptance: ' one \n\n two\n', files: '' })
    expect(planOf(lines).tasks[0]).toMatchObject({ acceptance: ['one', 'two'], files_expected: [] })
  })
})
