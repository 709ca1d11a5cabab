import { describe, expect, it } from 'vitest'
import { attemptsIn, itemLines, itemsIn, renderAttempt, renderItems, renderRow, tableIn } from './progress-log.ts'
import { outlineOf, type Section } from './progress-outline.ts'

const section = (body: string): Section | undefined => outlineOf(`## Status\n${body}`).sections.get('Status')

describe('attemptsIn', () => {
  const bodies: [string, string, string[]][] = [
    ['nothing', '', []],
    ['prose alone', 'none yet\n\n---', []],
    ['blocks', '### a\n\nx\n\ny\n\n### b\n### c\n- z', ['a\nx\n\ny', 'b', 'c\n- z']],
    ['blocks without title', '###\nx\n### \n', ['x', '']],
    ['bullets', '- a\n  more\n    code\n* b\n\n1. c', ['a\nmore\n  code', 'b', 'c']],
    ['bullets, then blocks', 'lead\n- a\n### b\n- c', ['a', 'b\n- c']],
    ['fences', '### a\n```\n### b\n- c\n```\n- d', ['a\n```\n### b\n- c\n```\n- d']],
    ['escaped lines', '### a\n\\### b\n\\```', ['a\n### b\n```']],
  ]
  it.each(bodies)('sees %s', (_, body, expected) => {
    expect(attemptsIn(section(body)).map(({ text }) => text)).toEqual(expected)
  })

  it('is written as a block', () => {
    const attempts = [' a ', 'a\n\n\n  b\n## c\n', 'a\r\nb\n```\nc\n```', '# a']
    expect(attempts.map((attempt) => renderAttempt(attempt, 'kept'))).toEqual([
      '### a',
      '### a\n\n  b\n\\## c',
      '### a\n\nb\n```\nc\n```',
      '### # a',
    ])
  })
})

describe('itemsIn', () => {
  const body = 'note\n- a\n  below a\n\n  not below\n* [x]  b \n- [ ] c\n```\n- d\n```\n- [x]\n-e'
  it('sees the bullets, and what is below them as theirs', () => {
    expect(itemsIn(section(body))).toEqual(['a', 'b', 'c', '[x]'])
    expect(itemLines(section(body)).map((line) => line.text)).toEqual([
      '- a',
      '  below a',
      '* [x]  b ',
      '- [ ] c',
      '- [x]',
    ])
  })

  it('writes each on one line', () => {
    expect(renderItems(['a', '[x] b\nc', ' ', '- d'])).toBe('- [x] a\n- [x] [x] b c\n- [x] - d')
    expect(itemsIn(section(renderItems(['[x] b', '- d'])))).toEqual(['[x] b', '- d'])
  })
})

describe('tableIn', () => {
  const row = (iteration: number, notes = '') => ({ iteration, started: '', duration: '', tasksCompleted: '', notes })
  const bodies: [string, string, unknown][] = [
    ['no table', '| a |\n| b |', undefined],
    ['a ruler without head', '|---|\n| 1 |', undefined],
    ['a ruler in a fence', '```\n| a |\n|---|\n```\n| 1 |', undefined],
    ['an empty table', '| a |\n|:-:|\ntext\n| 1 |', []],
    ['the first of two tables', '| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |', [row(1)]],
    ['rows of any shape', 'text\n| a |\n| - | - |\n | 1\n|2|||||x|\n| x |\n||\n| -1 |\n|03', [row(1), row(2), row(3)]],
    ['escapes', '| a |\n|-|\n|1|||| a \\| b \\\\ c \\d \\|', [row(1, 'a | b \\ c \\d |')]],
  ]
  it.each(bodies)('sees %s', (_, body, expected) => {
    expect(tableIn(section(body))?.rows).toEqual(expected)
  })

  it('writes a row on one line', () => {
    expect(renderRow({ ...row(1, ' a\r\nb|\\'), started: 'now' })).toBe('| 1 | now |  |  | a b\\|\\\\ |')
  })
})
