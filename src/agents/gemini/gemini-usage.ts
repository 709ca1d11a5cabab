// The usage of a session from the statistics at its end: the tokens of each model for all requests together,
// without a price. Users who pay by the token pay the list price. Some models cost more for long prompts; then the
// price is known only while all prompts together are short.
import type { Usage } from '../agent.ts'
import { count, type Fields, fields } from '../shared/fields.ts'
import { costOf, priceOf } from '../shared/prices.ts'

/** Null: the statistics tell of nothing. */
export function usageIn(stats: Fields, paidBy: 'tokens' | 'allowance'): Usage | null {
  const models = Object.entries(fields(stats['models'])).map(([name, used]) => ({ name, ...tokensOf(fields(used)) }))
  const all = models.length === 0 ? [{ name: '', ...tokensOf(stats) }] : models
  const [inputTokens, outputTokens] = [sum(all.map(({ input }) => input)), sum(all.map(({ output }) => output))]
  if (inputTokens + outputTokens === 0) return null
  const costs = paidBy === 'tokens' ? all.map(costByList) : [null]
  return { inputTokens, outputTokens, costUsd: costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0)) }
}

interface ModelTokens {
  /** With what was cached. */
  readonly input: number
  readonly cached: number
  /** With what was only thought: it is in the total and nowhere else, and paid for. */
  readonly output: number
}

function tokensOf(used: Fields): ModelTokens {
  const [input, cached, total] = [count(used['input_tokens']), count(used['cached']), count(used['total_tokens'])]
  return { input, cached: Math.min(cached, input), output: Math.max(count(used['output_tokens']), total - input) }
}

function costByList({ name, input, cached, output }: ModelTokens & { readonly name: string }): number | null {
  const price = priceOf(name, null, null)
  if (price === null || (price.long !== undefined && input > price.long.above)) return null
  return costOf({ input: input - cached, cacheRead: cached, cacheWrite: 0, output }, price)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
