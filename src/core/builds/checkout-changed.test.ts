import { expect, it } from 'vitest'
import { checkoutChanged } from './checkout-changed.ts'

const names = (number: number): string[] => Array.from({ length: number }, (_, at) => `f${at}`)

it('says each name once', () => {
  const known = new Set<string>()
  expect(checkoutChanged({ refs: [], paths: [] }, known)).toBeNull()
  const first = { refs: ['HEAD'], paths: ['a'] }
  expect(checkoutChanged(first, known)).toEqual({ type: 'checkoutChanged', ...first, more: 0 })
  expect(checkoutChanged(first, known)).toBeNull()
  expect(checkoutChanged({ refs: ['HEAD'], paths: ['a', 'b'] }, known)).toMatchObject({ refs: [], paths: ['b'] })
})

it('names at most 20 of each and counts the rest, up to 10,000 in all', () => {
  const known = new Set<string>()
  const told = checkoutChanged({ refs: names(25).map((name) => `refs/${name}`), paths: names(20_000) }, known)
  expect([told?.refs.length, told?.paths.length, told?.more, known.size]).toEqual([20, 20, 9_960, 10_000])
  expect(checkoutChanged({ refs: [], paths: ['new'] }, known)).toBeNull()
})
