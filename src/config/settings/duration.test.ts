import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

describe('parseDuration', () => {
  it.each([
    ['20m', 1_200_000],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1h30m15s', 5_415_000],
    ['500ms', 500],
    ['1s500ms', 1500],
    ['2m5ms', 120_005],
    ['0s', 0],
    ['24h', 86_400_000],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each(['', '20', 'm', '20 m', ' 20m', '20m ', '-1m', '1.5h', '30m1h', '1m1m', '20M', '1d', '99999999s', '1h\n'])(
    '%j is no duration',
    (text) => {
      expect(parseDuration(text)).toBeNull()
    },
  )
})

describe('formatDuration', () => {
  it('is read back as the same time', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
      }),
    )
  })
})
