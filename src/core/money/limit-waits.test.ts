import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Hindrance, patience, WAIT_MAX_MS, WAITS_MAX } from './limit-waits.ts'

const NOW = Date.UTC(2026, 5, 15, 12, 0, 0)
const overload: Hindrance = { kind: 'overload', agent: 'claude', sentence: 'it is busy', until: null, waits: 0 }
const limit: Hindrance = { ...overload, kind: 'rateLimit', sentence: 'too much' }

/** The length of the wait, with the least and the greatest chance. */
function waited(hindrance: Hindrance): number[] {
  return [0, 1].map((chance) => {
    const found = patience(hindrance, NOW, chance)
    return found.is === 'wait' ? found.until - NOW : Number.NaN
  })
}

describe('what is waited, in ms', () => {
  it.each<[string, Hindrance, number[]]>([
    ['a first overload', overload, [2_500, 5_000]],
    ['a second one', { ...overload, waits: 1 }, [5_000, 10_000]],
    ['a fifth one', { ...overload, waits: 4 }, [40_000, 80_000]],
    ['one of many', { ...overload, waits: WAITS_MAX - 1 }, [300_000, 600_000]],
    ['a limit without a time', limit, [30_000, 60_000]],
    ['the sixth of them', { ...limit, waits: 5 }, [900_000, 1_800_000]],
    ['a limit that is over in an hour', { ...limit, until: NOW + 3_600_000 }, [3_600_000, 3_610_000]],
    ['a limit that is over in a second', { ...limit, until: NOW + 1_000 }, [1_000, 1_050]],
    ['a limit that was over a second ago', { ...limit, until: NOW - 1_000 }, [30_000, 60_000]],
    ['a time that was told too often', { ...limit, until: NOW + 1_000, waits: 3 }, [240_000, 480_000]],
    ['the longest', { ...limit, until: NOW + WAIT_MAX_MS }, [WAIT_MAX_MS, WAIT_MAX_MS + 10_000]],
  ])('%s', (_, hindrance, expected) => {
    expect(waited(hindrance)).toEqual(expected)
  })
})

describe('what is not waited for', () => {
  it.each<[string, Hindrance, string]>([
    ['too often in a row', { ...overload, waits: WAITS_MAX }, 'claude could not work 41 times in a row: it is busy'],
    [
      'too long',
      { ...limit, until: NOW + WAIT_MAX_MS + 1 },
      'claude says that its limit lasts until 2026-06-23 12:00:00 UTC, longer than the 8 days that are waited: too much',
    ],
  ])('%s', (_, hindrance, why) => {
    expect(patience(hindrance, NOW, 0.5)).toEqual({ is: 'give-up', why })
  })
})

it('no wait is in the past, none before the time that was told, and none is longer than the bound', () => {
  const someWait = fc.record<Hindrance>({
    kind: fc.constantFrom('rateLimit', 'overload'),
    agent: fc.constant('claude'),
    sentence: fc.constant('x'),
    until: fc.option(fc.integer({ min: NOW - WAIT_MAX_MS, max: NOW + 2 * WAIT_MAX_MS })),
    waits: fc.nat(WAITS_MAX + 5),
  })
  fc.assert(
    fc.property(someWait, fc.double({ min: 0, max: 1, noNaN: true }), (hindrance, chance) => {
      const found = patience(hindrance, NOW, chance)
      if (found.is === 'give-up') return
      expect(found.until).toBeGreaterThan(NOW)
      expect(found.until).toBeGreaterThanOrEqual(hindrance.until ?? 0)
      expect(found.until - NOW).toBeLessThanOrEqual(WAIT_MAX_MS + 10_000)
    }),
  )
})
