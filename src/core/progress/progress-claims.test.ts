import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimsOf, isProgressFile, type ProgressClaims } from './progress-claims.ts'
import { parseProgressFile } from './progress-file.ts'

const before = `# Progress: X

## Status

In Progress

## Analysis

Old.

## Tasks

- [x] a
- [ ] b
- [ ] c

## Recent Attempts

### Iteration 1
- Tried: x

## Iteration Log
`

const none: ProgressClaims = { checked: [], saysDone: false, attempts: [], analysis: null, tasks: null }
const tasksOf = (text: string) => parseProgressFile(text).tasks

const cases: [string, string, Partial<Record<keyof ProgressClaims, unknown>>][] = [
  ['nothing', before, {}],
  ['nothing by other white space', `\n\n${before.replaceAll('\n\n', '\n\n\n')}`, {}],
  ['a task that is complete', before.replace('[ ] b', '[x] b'), { checked: ['b'] }],
  ['nothing by unticking', before.replace('[x] a', '[ ] a'), {}],
  ['that all is done', before.replace('In Progress', 'RALPH_DONE'), { saysDone: true }],
  [
    'a new attempt, the old one dropped',
    before.replace('### Iteration 1\n- Tried: x', '### Iteration 2\n- Tried: y'),
    { attempts: ['Iteration 2\n- Tried: y'] },
  ],
  ['a new analysis', before.replace('Old.', 'New.'), { analysis: 'New.' }],
  ['no new analysis by leaving it out', before.replace('Old.', ''), {}],
  [
    'a new task, complete at once',
    before.replace('- [ ] c', '- [ ] c\n- [x] d'),
    { checked: ['d'], tasks: tasksOf(before.replace('- [ ] c', '- [ ] c\n- [x] d')) },
  ],
  ['a task less', before.replace('- [ ] c\n', ''), { tasks: tasksOf(before.replace('- [ ] c\n', '')) }],
  ['another order', before.replace('b', 'z').replace('c', 'b').replace('z', 'c'), { tasks: expect.any(Array) }],
  ['no task list by leaving it out', before.replace(/## Tasks[^#]*/, ''), {}],
  ['no task list by leaving it empty', before.replace(/- \[.*\n/g, ''), {}],
  ['no task list by an answer that was cut short', before.slice(0, before.indexOf('- [ ] c')), {}],
]

describe('claimsOf', () => {
  it.each(cases)('sees %s', (_, after, claims) => {
    expect(claimsOf(parseProgressFile(before), parseProgressFile(after))).toEqual({ ...none, ...claims })
  })
})

describe('isProgressFile', () => {
  const messages: [string, boolean][] = [
    [before, true],
    [`\uFEFF\n  \n${before}`, true],
    ['# Progress:', true],
    [`Here it is:\n${before}`, false],
    [`\`\`\`\n${before}\`\`\``, false],
    ['\r\n \t\n# Progress: X', true],
    [' # Progress: X', false],
    ['\n\uFEFF# Progress: X', false],
    ['\r# Progress: X', false],
    ['# Progress', false],
    ['## Progress: X', false],
    ['', false],
  ]
  it.each(messages)('%j', (message, expected) => {
    expect(isProgressFile(message)).toBe(expected)
  })

  it('sees past 20 MB of blank lines', () => {
    expect(isProgressFile(`${' \n'.repeat(10_000_000)}# Progress: X`)).toBe(true)
  })

  it('takes only what can be read', () => {
    const unit = fc.constantFrom('\uFEFF', '\n', '\r', ' ', '\t', '\u2028', '```', '<!--', '#')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 5 }), fc.string({ unit }), (before, after) => {
        const message = `${before}# Progress: X${after}`
        expect(isProgressFile(message) ? parseProgressFile(message).name : 'X').toMatch(/^X/)
      }),
      { numRuns: 500 },
    )
  })
})
