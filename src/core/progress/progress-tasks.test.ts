import { describe, expect, it } from 'vitest'
import { outlineOf } from './progress-outline.ts'
import { type ProgressTask, renderTaskList, tasksIn } from './progress-tasks.ts'
import { taskId } from '../values/id.ts'

const placedIn = (list: string) => tasksIn(outlineOf(`## Tasks\n${list}`).sections.get('Tasks'))

/** `phase/id:x` for each task, with its detail behind it. */
const told = (list: string): string[] =>
  placedIn(list).map(({ task: { phase, id, checked, detail } }) => {
    const name = `${phase ?? ''}/${id}:${checked ? 'x' : ' '}`
    return detail === '' ? name : `${name} ${JSON.stringify(detail)}`
  })

const lists: [string, string, string[]][] = [
  ['nothing', '', []],
  ['all kinds of bullets', '- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [ ] e', ['/a: ', '/b:x', '/c:x', '/d: ', '/e: ']],
  ['what is no task', '[ ] a\n- [] b\n- [ ]c\n- [ ]\n- [ ]  \n- [-] d\n-[ ] e\n- f\n\\- [ ] g', []],
  ['phases', '- [ ] a\n### One\n- [ ] b\n#### deeper\n- [ ] c\n###\n- [ ] d', ['/a: ', 'One/b: ', 'One/c: ', '/d: ']],
  ['boxes below a task as its detail', '- [ ] a\n  - [ ] b\n\t- [x] c\n- [ ] d', ['/a:  "- [ ] b\\n- [x] c"', '/d: ']],
  ['boxes below plain bullets as tasks', '- Server\n  - [ ] a\n  - [ ] b\n    - [ ] c', ['/a: ', '/b:  "- [ ] c"']],
  ['one space more as no nesting', '- [ ] a\n - [ ] b\n- [ ] c', ['/a: ', '/b: ', '/c: ']],
  ['a detail of several paragraphs', '- [ ] a\n\n  b\n\n    c\n\nprose\n  - [ ] d', ['/a:  "b\\n\\n  c"', '/d: ']],
  ['no box in a fence', '- [ ] a\n```\n- [ ] b\n```\n- [ ] c', ['/a: ', '/c: ']],
  [
    'a fence below a task',
    '- [ ] a\n  ```\n- [ ] b\n\n### c\n  ```\n- [ ] d',
    ['/a:  "```\\n- [ ] b\\n\\n### c\\n```"', '/d: '],
  ],
  ['a comment around tasks', '<!--\n- [ ] a\n-->\n- [ ] b', ['/b: ']],
]

describe('tasksIn', () => {
  it.each(lists)('sees %s', (_, list, expected) => {
    expect(told(list)).toEqual(expected)
  })

  it('knows where each box is', () => {
    const list = '- [ ] [a](b)\r\n  1. [x]   c\r\n\t* [X] d\r\n- [ ] \u{1F600}'
    const boxes = placedIn(list).map(({ box }) => `## Tasks\n${list}`.slice(box - 1, box + 2))
    expect(boxes).toEqual(['[ ]', '[ ]'])
  })
})

describe('renderTaskList', () => {
  const task = (id: string, more: Partial<ProgressTask> = {}): ProgressTask => ({
    id: taskId(id),
    title: id,
    phase: null,
    checked: false,
    detail: '',
    ...more,
  })
  const cases: [string, ProgressTask[], string][] = [
    ['nothing', [], ''],
    ['tasks without phase', [task('a'), task('b', { checked: true })], '- [ ] a\n- [x] b'],
    [
      'phases, those without one first',
      [task('a', { phase: 'One' }), task('b', { phase: 'One' }), task('c'), task('d', { phase: 'Two' })],
      '- [ ] c\n\n### One\n\n- [ ] a\n- [ ] b\n\n### Two\n\n- [ ] d',
    ],
    ['only phases', [task('a', { phase: 'One\nmore' })], '### One more\n\n- [ ] a'],
    ['a detail', [task('a', { detail: '\nb\r\n\n```\n# c\n' })], '- [ ] a\n  b\n\n  \\```\n  \\# c'],
  ]
  it.each(cases)('writes %s', (_, tasks, expected) => {
    expect(renderTaskList(tasks)).toBe(expected)
  })
})
