import { describe, expect, it } from 'vitest'
import { costOf, priceOf } from './prices.ts'

const MILLION = 1_000_000

describe('the price of a model', () => {
  it.each<[string, number | null, number | null]>([
    ['claude-opus-5', 5, 25],
    ['claude-opus-5-5-20261001', 4, 20],
    ['claude-opus-4-8', 5, 25],
    ['claude-opus-4-1-20250805', 15, 75],
    ['claude-sonnet-4-5', 3, 15],
    ['gpt-5', 1.25, 10],
    ['gpt-5-2026-04-01', 1.25, 10],
    ['gpt-5.1', 1.25, 10],
    ['gpt-5.2-codex', 1.75, 14],
    ['gpt-5-mini', 0.25, 2],
    ['gpt-5-pro', null, null],
    ['gpt-5.9', null, null],
    ['gemini-2.5-flash-lite', 0.1, 0.4],
    ['qwen3-coder', null, null],
  ])('%s is %s and %s', (model, input, output) => {
    const price = priceOf(model, null, null)
    expect([price?.input ?? null, price?.output ?? null]).toEqual([input, output])
  })

  it('is the operator’s own first', () => {
    expect(priceOf('qwen3-coder', 1, 2)).toEqual({ input: 1, output: 2, cacheRead: 1, cacheWrite: 1 })
    expect(priceOf('claude-opus-5', null, 1)).toMatchObject({ input: 5, output: 1 })
    expect(priceOf('qwen3-coder', 1, null)).toBeNull()
  })

  it('counts what was cached at its own rate, and long prompts at theirs', () => {
    const price = priceOf('gemini-2.5-pro', null, null)
    if (price === null) throw new Error('it has one')
    const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
    expect(costOf({ ...tokens, input: 200_000 }, price)).toBeCloseTo(0.25, 9)
    expect(costOf({ ...tokens, input: 100_000, cacheRead: 200_000 }, price)).toBeCloseTo(0.1 * 2.5 + 0.2 * 0.25, 9)
    expect(costOf({ ...tokens, output: MILLION }, price)).toBeCloseTo(10, 9)
  })
})
