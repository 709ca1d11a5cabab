import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../test/arbitraries/refusal.ts'
import { wholeNumber } from './number.ts'

const rule = { bad: 'LEASE_BAD', flag: '--lease', max: Number.MAX_SAFE_INTEGER } as const

describe('wholeNumber', () => {
  it('reads what a whole number prints', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        expect(wholeNumber(String(number), rule)).toBe(number)
      }),
    )
  })

  it.each(['', ' ', '1 ', '+1', '-0', '-1', '1.0', '1e3', '0x10', '1_000', '١', 'Infinity', 'NaN'])(
    '%j is none',
    (text) => {
      expect(refused(() => wholeNumber(text, rule))?.[0]).toBe('LEASE_BAD')
    },
  )

  it('keeps to its bounds', () => {
    const bounded = { ...rule, min: 1, max: 10 }
    expect(['1', '010', '10'].map((text) => wholeNumber(text, bounded))).toEqual([1, 10, 10])
    expect(['0', '11', '9'.repeat(400)].map((text) => refused(() => wholeNumber(text, bounded))?.[0])).toEqual([
      'LEASE_BAD',
      'NUMBER_TOO_LARGE',
      'NUMBER_TOO_LARGE',
    ])
  })
})
