import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const known = ['attempts', 'interventions', 'iterations', 'max_iterations', 'budget_usd', 'budget_tokens']

describe('nearest', () => {
  it.each([
    ['atempts', 'attempts'],
    ['attemtps', 'attempts'],
    ['ATTEMPTS', 'attempts'],
    ['iteration', 'iterations'],
    ['maxiterations', 'max_iterations'],
    ['budget', 'budget_usd'],
    ['budget_token', 'budget_tokens'],
    ['colour', null],
    ['x', null],
    ['', null],
  ])('%j → %j', (written, meant) => {
    expect(nearest(written, known)).toBe(meant)
  })

  it('finds a known word with one letter changed, left out or added', () => {
    const word = fc.constantFrom(...known)
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('', 'q', 'qq'), (meant, place, instead) => {
        const at = place % meant.length
        const written = meant.slice(0, at) + instead + meant.slice(at + 1)
        expect(nearest(written, known)).toBe(meant)
      }),
    )
  })

  it('knows nothing where nothing is known', () => {
    expect(nearest('unit', [])).toBeNull()
  })

  it('answers for a word of any length', () => {
    expect(nearest('a'.repeat(100_000), known)).toBeNull()
  })
})
