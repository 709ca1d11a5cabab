import { describe, expect, it } from 'vitest'
import { outlineOf, textOf } from './progress-outline.ts'

describe('outlineOf', () => {
  const names: [string, string | null][] = [
    ['# Progress: X', 'X'],
    ['# PROGRESS:X', 'X'],
    ['# Title\n# Progress:  X: Y ', 'X: Y'],
    ['# Progress: X\n# Progress: Y', 'X'],
    ['# Progress X', null],
    ['## Progress: X', null],
    ['```\n# Progress: X\n```', null],
    ['', null],
  ]
  it.each(names)('names %j %j', (text, name) => {
    expect(outlineOf(text).name).toBe(name)
  })

  it('finds each section up to the next heading', () => {
    const text = '# Progress: X\n## Tasks\n\na\n### b\n## Other\nc\n##  status: ##\nd\n# End\n## Tasks\ne'
    const sections = [...outlineOf(text).sections].map(([name, { lines, heading, end }]) => [
      name,
      text.slice(heading.start, end),
      textOf(lines),
    ])
    expect(sections).toEqual([
      ['Tasks', '## Tasks\n\na\n### b\n', 'a\n### b'],
      ['Status', '##  status: ##\nd\n', 'd'],
    ])
  })

  const endings: [string, string][] = [
    ['', '\n'],
    ['a', '\n'],
    ['a\nb\r\n', '\n'],
    ['a\r\nb\n', '\r\n'],
    ['\r\n', '\r\n'],
    ['\na\r\n', '\n'],
  ]
  it.each(endings)('%j ends its lines with %j', (text, eol) => {
    expect(outlineOf(text).eol).toBe(eol)
  })

  it('tells whether something is left open', () => {
    expect(['```\n```', 'a', '```', '<!--'].map((text) => outlineOf(text).hasStray)).toEqual([false, false, true, true])
  })
})
