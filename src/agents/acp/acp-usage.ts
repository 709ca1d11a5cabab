// The usage of a session, if the agent reports it. The protocol reports the price so far and how full the context
// is. The tokens of a turn arrive at its end, in one of several forms.
import { NOTHING_USED, type Usage } from '../agent.ts'
import { count, type Fields, fields, numberOrNull, text } from '../shared/fields.ts'

export interface AcpUsage {
  readonly total: () => Usage
  /** A `usage_update`; true where the total has grown. */
  readonly update: (update: Fields) => boolean
  /** The answer to a prompt. */
  readonly turn: (answer: Fields) => boolean
}

export function acpUsage(): AcpUsage {
  let used = NOTHING_USED
  const take = (more: Partial<Usage>): boolean => {
    const before = used
    used = { ...used, ...more }
    return JSON.stringify(before) !== JSON.stringify(used)
  }
  return {
    total: () => used,
    update: ({ cost }) => {
      const { amount, currency } = fields(cost)
      const costUsd = numberOrNull(amount)
      return costUsd !== null && costUsd >= 0 && text(currency) === 'USD' ? take({ costUsd }) : false
    },
    turn: (answer) => {
      const usage = fields(answer['usage'])
      const quota = fields(fields(fields(answer['_meta'])['quota'])['token_count'])
      const inputTokens =
        sum(usage, 'inputTokens', 'cachedReadTokens', 'cachedWriteTokens') || sum(quota, 'input_tokens')
      const outputTokens = sum(usage, 'outputTokens', 'thoughtTokens') || sum(quota, 'output_tokens')
      return inputTokens + outputTokens === 0 ? false : take({ inputTokens, outputTokens })
    },
  }
}

function sum(record: Fields, ...names: readonly string[]): number {
  return names.reduce((all, name) => all + count(record[name]), 0)
}
