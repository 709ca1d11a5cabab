import { expect, it } from 'vitest'
import { dateOf, DAYS, has, shareOf } from './share.ts'

const today = Date.UTC(2026, 0, 31)
const inShare = (text: string, count: number): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => has(shareOf(text), index, count))

it.for([1, 2, 3, 7, 100])('every one of %i cases has its day, and no day is without one', (count) => {
  const days = Array.from({ length: DAYS }, (_, index) => inShare(dateOf(today + index * 24 * 60 * 60 * 1000), count))
  expect(days.filter((cases) => cases.length === 0)).toEqual([])
  expect([...new Set(days.flat())].toSorted((one, other) => one - other)).toEqual(inShare('all', count))
})

it('the same date has the same share', () => {
  expect(inShare('2026-01-31', 100)).toEqual(inShare(dateOf(today), 100))
})

it('the shortest share is the first case', () => {
  expect(inShare('first', 100)).toEqual([0])
})

it('a share that is none is refused', () => {
  expect(() => shareOf('yesterday')).toThrow("RALPH_TEST_SHARE is 'all', 'first' or a date, not 'yesterday'")
})
