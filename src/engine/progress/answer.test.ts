import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import { parseProgressFile, type ProgressFile } from '../../core/progress/progress-file.ts'
import type { Signal } from '../../core/session/signal.ts'
import { isCut, progressFileIn, signalIn, withAnswer } from './answer.ts'

const file = `# Progress: X

## Status

In Progress

## Analysis

Old.

## Tasks

- [x] T0: Nil
- [ ] T1: One
- [ ] T2: Two
- [ ] T3: Three

## Recent Attempts

### Iteration 1
- Tried: x
`
const parsed = parseProgressFile
const T1 = taskId('T1')

describe('signalIn', () => {
  const complete: Signal = { kind: 'TASK_COMPLETE' }
  const goesOn: Signal = { kind: 'ITERATION_DONE' }
  const stuck: Signal = { kind: 'TASK_STUCK', reason: 'no way' }
  const cases: [string, string, ProgressFile | null, Signal | null][] = [
    ['no file, no signal', 'I am done.', parsed(file), null],
    ['a signal without a file', 'Well.\nTASK_COMPLETE', parsed(file), complete],
    ['the file as it was', file, parsed(file), goesOn],
    ['the box of its task', file.replace('[ ] T1', '[x] T1'), parsed(file), complete],
    ['the box of another task', file.replace('[ ] T2', '[x] T2'), parsed(file), goesOn],
    [
      'a box that was checked before',
      file.replace('[ ] T1', '[x] T1'),
      parsed(file.replace('[ ] T1', '[x] T1')),
      goesOn,
    ],
    ['its box, and stuck', `${file.replace('[ ] T1', '[x] T1')}\nTASK_STUCK: no way`, parsed(file), stuck],
    ['the file, and a signal below', `${file}\nTASK_COMPLETE\n`, parsed(file), complete],
    ['its box, in a build without a file', file.replace('[ ] T1', '[x] T1'), null, complete],
    ['a file in a build without one', file, null, goesOn],
    ['RALPH_DONE', file.replace('In Progress', 'RALPH_DONE'), parsed(file), goesOn],
  ]
  it.each(cases)('%s', (_, message, before, expected) => {
    expect(signalIn(message, T1, before, null)).toEqual(expected)
  })

  const byTool: [string, string, Signal, Signal][] = [
    ['a tool alone', 'I am done.', complete, complete],
    ['a tool beside the file, whose silence is no word', file, complete, complete],
    ['a tool that is more cautious', 'TASK_COMPLETE', stuck, stuck],
    ['a message that is more cautious', 'ITERATION_DONE', complete, goesOn],
  ]
  it.each(byTool)('%s', (_, message, tool, expected) => {
    expect(signalIn(message, T1, parsed(file), tool)).toEqual(expected)
  })
})

describe('withAnswer', () => {
  const took = (answer: string, more: { readonly now?: string; readonly own?: string } = {}): string =>
    withAnswer(more.now ?? file, parsed(answer), {
      task: T1,
      session: 'task T1',
      before: parsed(file),
      own: more.own === undefined ? null : parsed(more.own),
    })
  const noted = (...notes: readonly string[]): string =>
    `${file}\n### What does not count, task T1\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`

  it.each([
    ['its own box', file.replace('[ ] T1', '[x] T1')],
    ['a status', file.replace('In Progress', 'Nearly there')],
    ['an order', file.replace('T2: Two', 'T9').replace('T3: Three', 'T2: Two').replace('T9', 'T3: Three')],
    ['a testing strategy', file.replace('## Recent', '## Testing Strategy\n\nNone.\n\n## Recent')],
    ['less history', file.replace('- [x] T0: Nil\n', '').replace('### Iteration 1\n- Tried: x\n', '')],
    ['other words for what is done', file.replace('Nil', 'Null')],
  ])('takes over nothing of %s', (_, answer) => {
    expect(took(answer)).toBe(file)
  })

  it.each([
    ['an analysis', 'Old.', 'New.\n\nAnd more.'],
    ['an attempt', '- Tried: x\n', '- Tried: x\n\n### Iteration 2\n\n- Tried: y\n'],
    ['a new task', '- [ ] T2: Two\n', '- [ ] T2: Two\n- [ ] Two and a half\n  With detail.\n'],
    ['a new phase', '- [ ] T3: Three\n', '- [ ] T3: Three\n\n### Later\n\n- [ ] Four\n'],
  ])('takes over %s', (_, before, after) => {
    const answer = file.replace(before, after)
    expect(took(answer)).toBe(answer)
    expect(took(answer, { now: answer })).toBe(answer)
  })

  it('takes over other words for another task', () => {
    expect(took(file.replace('T2: Two', 'T2: Twice'))).toBe(file.replace('T2: Two', 'Twice {#T2}'))
  })

  it.each([
    ['boxes of tasks nobody worked on', file.replace('[ ] T2', '[x] T2'), 'Checked without having been worked on: T2'],
    ['a task left out', file.replace('- [ ] T2: Two\n', ''), 'Left out of the list, and still to be done: T2'],
    ['its own task left out', file.replace('- [ ] T1: One\n', ''), 'Left out of the list, and still to be done: T1'],
    ['other words for its own task', file.replace('One', 'Less'), 'Changed in a way that was not taken over: T1'],
    [
      'a title that no task may have',
      file.replace('- [ ] T2: Two\n', `- [ ] T2: Two\n- [ ] T7: ${'x'.repeat(501)}\n`),
      'Changed in a way that was not taken over: T7',
    ],
    [
      'RALPH_DONE',
      file.replace('In Progress', 'RALPH_DONE'),
      'Said RALPH_DONE: the build ends when every task is verified',
    ],
  ])('only notes %s', (_, answer, note) => {
    expect(took(answer)).toBe(noted(note))
    expect(took(answer, { now: noted(note) })).toBe(noted(note))
  })

  it('adds a task that comes checked as an open one', () => {
    const answer = file.replace('- [ ] T2: Two\n', '- [ ] T2: Two\n- [x] Extra\n')
    expect(parsed(took(answer)).tasks.find(({ title }) => title === 'Extra')?.checked).toBe(false)
    expect(took(answer)).toContain('- Checked without having been worked on: extra\n')
  })

  it('lets what a person changed meanwhile stand', () => {
    const now = file.replace('Old.', 'Mine.').replace('T2: Two', 'T2: Mine').replace('- [ ] T3: Three\n', '')
    const answer = file.replace('Old.', 'New.').replace('T2: Two', 'T2: Twice').replace('T3: Three', 'T3: Thrice')
    const after = took(answer, { now })
    expect([parsed(after).analysis, parsed(after).tasks]).toEqual(['Mine.', parsed(now).tasks])
  })

  it('sees no change in what was copied from an older file in its folder', () => {
    const own = file
      .replace('Old.', 'Older.')
      .replace('T2: Two', 'T2: Twain')
      .replace('- [ ] T3: Three\n', '- [ ] Long gone\n')
      .replace('Tried: x', 'Tried: w')
    expect(took(own, { own })).toBe(file)
    expect(took(own.replace('[ ] T1', '[x] T1'), { own })).toBe(file)
    const added = took(own.replace('- [ ] T2', '- [ ] Fresh\n- [ ] T2'), { own })
    expect(added).toBe(file.replace('- [ ] T2', '- [ ] Fresh\n- [ ] T2'))
  })

  it('is bounded', () => {
    const many = Array.from({ length: 40 }, (_, at) => `- [ ] N${at}: ${'y'.repeat(90)}`).join('\n')
    const attempts = Array.from({ length: 40 }, (_, at) => `### ${at}${'h'.repeat(900)}\n\n${'z'.repeat(90_000)}`).join(
      '\n\n',
    )
    const answer = file
      .replace('Old.', 'w'.repeat(1_000_000))
      .replace('- [ ] T3: Three\n', `- [ ] T3: Three\n${many}\n`)
      .replace('### Iteration 1\n- Tried: x\n', attempts)
    const after = took(answer)
    expect(parsed(after).tasks.length - parsed(file).tasks.length).toBe(15)
    expect(parsed(after).recentAttempts.length).toBe(5)
    expect(after.length).toBeLessThan(40_000)
  })
})

describe('an answer', () => {
  it('that is too long, or something else, is no progress file', () => {
    expect([progressFileIn(file)?.name, progressFileIn('Done.')]).toEqual(['X', null])
    expect(progressFileIn(file + ' '.repeat(4 * 1024 * 1024))).toBeNull()
  })

  it('without its middle is seen as such', () => {
    expect([isCut(file), isCut(`${file}\n… 12,345 bytes left out …\n${file}`)]).toEqual([false, true])
  })
})
