import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { width } from '../table.ts'
import { clock, count, firstLine, shortened, shownText, span, timeAhead } from './sanitize.ts'

describe('text for a terminal', () => {
  it.each([
    ['plain', 'plain'],
    ['\u001B[31mred\u001B[0m and \u001B[1;4mbold', 'red and bold'],
    ['\u001B]0;a title\u0007text', 'text'],
    ['\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\', 'link'],
    ['a\tb\rc\u0000d', 'a b c d'],
    ['half \uD800', 'half  '],
    ['größe 漢字 👍', 'größe 漢字 👍'],
  ])('%j is shown as %j', (text, shown) => {
    expect(shownText(text)).toBe(shown)
  })

  it('never holds a control character, whatever it was', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cs}]/u.test(shownText(text))))
  })

  it.each([
    ['\n\n  first  \nsecond', 'first'],
    ['', ''],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ])('takes the first line of %j', (text, line) => {
    expect(firstLine(text)).toBe(line)
  })

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('cuts %j to %i columns', (text, columns, cut) => {
    expect(shortened(text, columns)).toBe(cut)
  })

  it('is never wider than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, columns) => {
        expect(width(shortened(text, columns))).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

it.each([
  [0, '0:00'],
  [7_999, '0:07'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
  [-5, '0:00'],
])('%i ms are %s', (ms, shown) => {
  expect(clock(ms)).toBe(shown)
})

it.each([
  [1, '1 task'],
  [0, '0 tasks'],
  [12_000, '12,000 tasks'],
])('%i is %s', (number, shown) => {
  expect(count(number, 'task')).toBe(shown)
})

it.each([
  [-5, '1 s'],
  [0, '1 s'],
  [44_100, '45 s'],
  [60_000, '1 min'],
  [61_000, '1 min 1 s'],
  [3_599_500, '1 h'],
  [3_600_000, '1 h'],
  [7_799_000, '2 h 10 min'],
  [86_400_000, '1 day'],
  [270_000_000, '3 days 3 h'],
])('a span of %i ms is %s', (ms, shown) => {
  expect(span(ms)).toBe(shown)
})

it.each([
  [new Date(2026, 5, 15, 1, 9, 58), '01:09:58'],
  [new Date(2026, 5, 15, 3, 0, 30), '03:00'],
  [new Date(2026, 5, 15, 20, 59, 0), '20:59'],
  [new Date(2026, 5, 15, 21, 0, 0), '2026-06-15 21:00'],
])('from one in the night %s is %s', (at, shown) => {
  expect(timeAhead(at.getTime(), new Date(2026, 5, 15, 1, 0, 0).getTime())).toBe(shown)
})
