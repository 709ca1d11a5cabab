import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { parseProgressFile } from '../../core/progress/progress-file.ts'
import type { ProgressTask } from '../../core/progress/progress-tasks.ts'
import { addTask, rewordTask } from './task-list.ts'

const task = (id: string, more: Partial<ProgressTask> = {}): ProgressTask => ({
  id: taskId(id),
  title: id,
  phase: null,
  checked: false,
  detail: '',
  ...more,
})
const a = taskId('a')
const file = (...lines: readonly string[]): string => `# Progress: X\n## Tasks\n${lines.join('\n')}`

describe('addTask', () => {
  const cases: [string, string, ProgressTask, TaskId | null, string][] = [
    [
      'after the one that is named',
      file('- [x] a', '- [ ] b', ''),
      task('n'),
      a,
      file('- [x] a', '- [ ] n', '- [ ] b', ''),
    ],
    [
      'below its detail',
      file('- [ ] a', '  more', '', '  ```', '# no heading', '  ```', '', 'prose', '- [ ] b'),
      task('n', { title: 'New one', detail: 'why\n\nhow' }),
      a,
      file(
        ...['- [ ] a', '  more', '', '  ```', '# no heading', '  ```', '- [ ] New one {#n}', '  why', '', '  how', ''],
        ...['prose', '- [ ] b'],
      ),
    ],
    [
      'at the end, where nothing is named',
      file('- [ ] a', '- [ ] b', '', '## Notes'),
      task('n'),
      null,
      file('- [ ] a', '- [ ] b', '- [ ] n', '', '## Notes'),
    ],
    [
      'at the end of its phase',
      file('### One', '- [ ] a', '### Two', '- [ ] b'),
      task('n', { phase: 'One' }),
      null,
      file('### One', '- [ ] a', '- [ ] n', '### Two', '- [ ] b'),
    ],
    [
      'in a new phase',
      file('- [ ] a', '', '## Notes'),
      task('n', { phase: 'Two' }),
      a,
      file('- [ ] a', '', '### Two', '', '- [ ] n', '', '## Notes'),
    ],
    [
      'in the last phase, where it has none',
      file('### One', '- [ ] a', ''),
      task('n'),
      a,
      file('### One', '- [ ] a', '- [ ] n', ''),
    ],
    ['unchecked, whatever it says', file('- [x] a'), task('n', { checked: true }), a, file('- [x] a', '- [ ] n')],
    [
      'with the margin of the others',
      file('  - [ ] a', '    more', '  - [ ] b'),
      task('n', { detail: 'x' }),
      a,
      file('  - [ ] a', '    more', '  - [ ] n', '    x', '  - [ ] b'),
    ],
    [
      'with the line endings of the file',
      file('- [ ] a', '').replaceAll('\n', '\r\n'),
      task('n', { detail: 'x' }),
      a,
      file('- [ ] a', '- [ ] n', '  x', '').replaceAll('\n', '\r\n'),
    ],
    ['not where there is no list', file('none'), task('n'), a, file('none')],
    ['not where its id is taken', file('- [ ] a'), task('a', { title: 'Other' }), null, file('- [ ] a')],
  ]
  it.each(cases)('%s', (_, before, added, after, expected) => {
    expect(addTask(before, added, after)).toBe(expected)
  })
})

describe('rewordTask', () => {
  const cases: [string, string, ProgressTask, string][] = [
    [
      'title and detail',
      file('1. [x] T1: Old', '   old', '', '   older', '', '- [ ] b'),
      task('T1', { title: 'New', detail: 'so' }),
      file('1. [x] New {#T1}', '  so', '', '- [ ] b'),
    ],
    [
      'an id that came from the title stays',
      file('- [ ] a', '- [ ] b'),
      task('a', { title: 'A and more' }),
      file('- [ ] A and more {#a}', '- [ ] b'),
    ],
    ['nothing where it is not listed', file('- [ ] b'), task('a'), file('- [ ] b')],
    [
      'no heading or fence gets out of a detail',
      file('- [ ] a', '- [ ] b'),
      task('a', { detail: '# x\n```' }),
      file('- [ ] a', '  \\# x', '  \\```', '- [ ] b'),
    ],
  ]
  it.each(cases)('%s', (_, before, worded, expected) => {
    expect(rewordTask(before, worded)).toBe(expected)
  })
})

describe('in any file', () => {
  const line = fc.constantFrom(
    ...[
      '- [ ] a',
      '- [x] b',
      '  - [ ] c',
      '    - [ ] a',
      '\t- [ ] d',
      '* [ ] e',
      'prose',
      '',
      '  text',
      '```',
      '<!--',
      '-->',
    ],
    ...['### One', '### Two', '## Notes', '## Tasks', '> quote', '- bullet', '  ~~~', '1. [ ] f'],
  )
  const anyFile = fc
    .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, eol]) => ['# Progress: X', '## Tasks', ...lines].join(eol))
  const anyTask = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'new').map(taskId),
    title: fc.constantFrom('Title', '# x', '- [ ] y', 'T9: z', '-->'),
    phase: fc.constantFrom(null, 'One', 'Three'),
    checked: fc.boolean(),
    detail: fc.array(line, { maxLength: 3 }).map((lines) => lines.join('\n')),
  })
  const tasksOf = (text: string): readonly ProgressTask[] => parseProgressFile(text).tasks

  it('an added task is all that is new, or nothing is', () => {
    fc.assert(
      fc.property(anyFile, anyTask, fc.constantFrom(null, 'a', 'e'), (before, added, anchor) => {
        const after = addTask(before, added, anchor === null ? null : taskId(anchor))
        const listed = tasksOf(after)
        const isNew = listed.length > tasksOf(before).length
        expect(listed.filter(({ id }) => !isNew || id !== added.id)).toEqual(tasksOf(before))
        expect(isNew || after === before).toBe(true)
        const length = after.length - before.length
        const at = [...before].findIndex((letter, index) => letter !== after[index])
        const start = at === -1 ? before.length : at
        // Nothing but an insertion: some place exists where the old text parts around the new.
        const places = Array.from({ length: start + 1 }, (_, place) => place)
        expect(places.some((place) => after.slice(0, place) + after.slice(place + length) === before)).toBe(true)
      }),
    )
  })

  it('other words change no other task', () => {
    fc.assert(
      fc.property(anyFile, anyTask, (before, worded) => {
        const after = rewordTask(before, worded)
        const { title, detail } = worded
        const expected = tasksOf(before).map((each) => (each.id === worded.id ? { ...each, title, detail } : each))
        expect(after === before ? tasksOf(before) : expected).toEqual(tasksOf(after))
      }),
    )
  })
})
