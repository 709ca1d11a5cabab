import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeStructure, headingOf, markdownLines, unescapeStructure } from './markdown-lines.ts'

/** One letter per line: plain, quoted, stray. */
const kinds = (text: string): string =>
  markdownLines(text)
    .map((line) => line.kind[0])
    .join('')

const nastyLine = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.constantFrom(
    '',
    '```',
    '````',
    '```ts',
    '~~~',
    '  ```',
    '- ```sh',
    '\\```',
    '<!--',
    '<!-- x -->',
    '-->',
    'a --> b',
    '# One',
    '## Tasks',
    '\\## Tasks',
    '\\\\# x',
    '#',
    '- [ ] a',
    'RALPH_DONE',
  ),
)
const nastyText = fc.array(nastyLine, { maxLength: 12 }).map((lines) => lines.join('\n'))

describe('markdownLines', () => {
  const cases: [string, string, string][] = [
    ['nothing', '', ''],
    ['one line', 'a', 'p'],
    ['a fence', 'a\n```\n# b\n```\nc', 'pqqqp'],
    ['a fence with words behind it', '```ts title\nb\n```', 'qqq'],
    ['a tilde fence that holds backticks', '~~~\n```\n~~~\na', 'qqqp'],
    ['a long fence that holds a short one', '````\n```\n````\n```', 'qqqs'],
    ['a fence closed by a longer one', '```\na\n`````', 'qqq'],
    ['a closing fence with words is none', '```\n``` b\n```', 'qqq'],
    ['inline code of three backticks', '```a```\nb', 'pp'],
    ['two backticks', '``\na\n``', 'ppp'],
    ['an indented fence', 'a\n    ```\nb\n  ```\nc', 'pqqqp'],
    ['a fence behind a list marker', '1. ```\n   a\n   ```\nb', 'qqqp'],
    ['CRLF', '```\r\na\r\n```\r\nb', 'qqqp'],
    ['a fence never closed', 'a\n```\nb\n# c', 'pspp'],
    ['a stray fence above a whole one of the other kind', '~~~\na\n```\nb\n```\nc', 'spqqqp'],
    ['a comment on one line', '<!-- a -->\nb', 'qp'],
    ['a comment on many lines', 'a\n<!--\n- [ ] b\n-->\nc', 'pqqqp'],
    ['a comment never closed', 'a <!-- x -->\n<!-- b\nc', 'psp'],
    ['a comment in a line', 'a <!--\nb', 'pp'],
    ['a fence in a comment', '<!--\n```\n-->\na', 'qqqp'],
    ['a comment in a fence', '```\n<!--\n```\na', 'qqqp'],
  ]
  it.each(cases)('knows %s', (_, text, expected) => {
    expect(kinds(text)).toBe(expected)
  })

  it('loses and moves no character', () => {
    const anyText = fc.oneof(nastyText, fc.string({ unit: fc.constantFrom('\r', '\n', '`', 'a', '\uFEFF') }))
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = markdownLines(text)
        const start = text.startsWith('\uFEFF') ? 1 : 0
        expect(lines.map((line) => text.slice(line.start, line.next)).join('')).toBe(text.slice(start))
        expect(lines.map((line) => text.slice(line.start, line.end))).toEqual(lines.map((line) => line.text))
        expect(lines.every((line) => /^(\r?\n)?$/.test(text.slice(line.end, line.next)))).toBe(true)
      }),
    )
  })

  // Searching for the end of each of these fences again takes 10^10 steps, so the test's own time limit is the
  // assertion.
  it('is linear where nothing is ever closed', () => {
    const lines = markdownLines('```x\n<!--\n~~~~y\n'.repeat(100_000))
    expect(lines.every((line) => line.kind === 'stray')).toBe(true)
  })
})

describe('a line of 20 MB', () => {
  it.each(['- ', '1. ', '`', ' ', '\\', '#', '<!--'])('of %j is read', (unit) => {
    const lines = markdownLines(`a\n${unit.repeat(20_000_000 / unit.length)}x`)
    expect(lines.map((line) => headingOf(line))).toEqual([null, null])
  })
})

describe('headingOf', () => {
  const cases: [string, ReturnType<typeof headingOf>][] = [
    ['# One', { level: 1, text: 'One' }],
    ['###### Six  ', { level: 6, text: 'Six' }],
    ['##\tTab', { level: 2, text: 'Tab' }],
    ['##', { level: 2, text: '' }],
    ['####### Seven', null],
    ['#hashtag', null],
    [' # Indented', null],
    ['\\# Escaped', null],
    ['text', null],
  ]
  it.each(cases)('%j', (text, expected) => {
    expect(markdownLines(text).map(headingOf)).toEqual([expected])
  })
})

describe('escaped', () => {
  const cases: [string, 'kept' | 'escaped', string][] = [
    ['a\n# b\n#c', 'kept', 'a\n\\# b\n\\#c'],
    ['```\n# a\n```', 'kept', '```\n# a\n```'],
    ['```\n# a\nb\n```', 'escaped', '\\```\n\\# a\nb\n\\```'],
    ['```\n# a', 'kept', '\\```\n\\# a'],
    ['\\# a\n\\b', 'kept', '\\\\# a\n\\b'],
  ]
  it.each(cases)('%j, fences %s', (text, fences, expected) => {
    expect(escapeStructure(text, fences)).toBe(expected)
  })

  it('leaves nothing that could be taken for structure, and is undone by reading', () => {
    fc.assert(
      fc.property(nastyText, fc.constantFrom('kept' as const, 'escaped' as const), (nasty, fences) => {
        const text = `${nasty}\nend`
        const lines = markdownLines(escapeStructure(text, fences))
        const read = lines.map((line) => unescapeStructure(line.text, line.kind))
        expect(lines.map(headingOf).every((heading) => heading === null)).toBe(true)
        expect(lines.some((line) => line.kind === 'stray')).toBe(false)
        expect(read).toEqual(markdownLines(text).map((line) => line.text))
      }),
      { numRuns: 500 },
    )
  })

  it('quotes nothing that is put around it', () => {
    fc.assert(
      fc.property(nastyText, nastyText, (one, other) => {
        const file = `${escapeStructure(one, 'kept')}\n# Between\n${escapeStructure(other, 'kept')}`
        const headings = markdownLines(file).flatMap((line) => headingOf(line) ?? [])
        expect(headings).toEqual([{ level: 1, text: 'Between' }])
      }),
      { numRuns: 500 },
    )
  })
})
