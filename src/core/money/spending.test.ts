import { describe, expect, it } from 'vitest'
import { budgetOf, formatBudget, spentSentence } from './budget.ts'
import { addUsed, formatUsd, formatUsed, NOTHING, sumSpending, type Used } from './spending.ts'

const used = (inputTokens: number, outputTokens: number, costUsd: number | null): Used => ({
  inputTokens,
  outputTokens,
  costUsd,
})

it.each([
  [used(1, 2, null), used(3, 4, null), used(4, 6, null)],
  [used(1, 2, 0.1), used(3, 4, null), used(4, 6, 0.1)],
  [used(1, 2, 0.1), used(0, 0, 0.2), used(1, 2, 0.3)],
  [NOTHING, used(0, 0, 0), used(0, 0, 0)],
])('%o and %o are %o together', (one, other, sum) => {
  expect(addUsed(one, other)).toEqual(sum)
})

it('several sessions are added up, and those without a price are counted, save those that were turned away', () => {
  const sessions = [
    { used: used(100, 10, 0.5), durationMs: 1_000, failure: null },
    { used: used(50, 5, null), durationMs: 2_000, failure: 'killed' },
    { used: NOTHING, durationMs: 3_000, failure: null },
    { used: NOTHING, durationMs: 10, failure: 'rateLimit' },
  ]
  const all = { sessions: 4, agentMs: 6_010, inputTokens: 150, outputTokens: 15, costUsd: 0.5, unpriced: 2 }
  expect(sumSpending(sessions)).toEqual(all)
  expect(sumSpending([])).toEqual({ ...NOTHING, sessions: 0, agentMs: 0, unpriced: 0 })
})

describe('in words', () => {
  it.each([
    [used(12_000, 345, 0.123), '12,345 tokens, $0.12'],
    [used(1, 0, null), '1 token'],
    [used(0, 0, 1), '$1.00'],
    [NOTHING, ''],
  ])('%o', (usage, text) => {
    expect(formatUsed(usage)).toBe(text)
  })

  it.each([
    [0, '$0.00'],
    [0.00421, '$0.0042'],
    [0.01, '$0.01'],
    [1234.5, '$1234.50'],
  ])('%f dollars are %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text)
  })

  it.each([
    [{ budgetUsd: 5, budgetTokens: 0 }, '$5.00', "'ralph build --budget 10' goes on"],
    [{ budgetUsd: 0.02, budgetTokens: 0 }, '$0.02', "'ralph build --budget 1' goes on"],
    [{ budgetUsd: 0, budgetTokens: 1_000 }, '1,000 tokens', "'ralph build --budget-tokens 2000' goes on"],
    [{ budgetUsd: 2, budgetTokens: 9 }, '$2.00 and 9 tokens', "'ralph build --budget 4 --budget-tokens 18' goes on"],
  ])('a budget of %o, and how to go on when it is spent', (limits, text, how) => {
    const budget = budgetOf(limits)
    expect(formatBudget(budget)).toBe(text)
    expect(spentSentence(budget)).toBe(
      `The budget of ${text} is spent; ${how} (the number is what the build may use in all, not in addition).`,
    )
  })
})
