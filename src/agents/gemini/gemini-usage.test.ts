import { expect, it } from 'vitest'
import type { Usage } from '../agent.ts'
import { usageIn } from './gemini-usage.ts'

const model = (input: number, cached: number, output: number, total = input + output): object => ({
  input_tokens: input,
  cached,
  output_tokens: output,
  total_tokens: total,
})
const FLASH = 'gemini-2.5-flash'
const PRO = 'gemini-2.5-pro'

it.each<[string, object, Usage | null]>([
  ['nothing', {}, null],
  [
    'no models',
    { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    { inputTokens: 10, outputTokens: 5, costUsd: null },
  ],
  [
    'a model of the list, with what it thought',
    { models: { [FLASH]: model(1_000_000, 0, 100_000, 1_200_000) } },
    { inputTokens: 1_000_000, outputTokens: 200_000, costUsd: 0.8 },
  ],
  [
    'what was cached',
    { models: { [FLASH]: model(1_000_000, 900_000, 0) } },
    { inputTokens: 1_000_000, outputTokens: 0, costUsd: 0.057 },
  ],
  [
    'two models',
    { models: { [FLASH]: model(100_000, 0, 0), [PRO]: model(200_000, 0, 0) } },
    { inputTokens: 300_000, outputTokens: 0, costUsd: 0.28 },
  ],
  [
    'a model that is dearer where a prompt is long, as one may have been',
    { models: { [PRO]: model(200_001, 0, 0) } },
    { inputTokens: 200_001, outputTokens: 0, costUsd: null },
  ],
  [
    'a model that is not known beside one that is',
    { models: { [FLASH]: model(10, 0, 0), 'gemini-9': model(10, 0, 0) } },
    { inputTokens: 20, outputTokens: 0, costUsd: null },
  ],
])('%s', (_, stats, used) => {
  const recordOf = usageIn(stats as Record<string, unknown>, 'tokens')
  expect(
    recordOf === null || recordOf.costUsd === null
      ? recordOf
      : { ...recordOf, costUsd: Number(recordOf.costUsd.toFixed(9)) },
  ).toEqual(used)
  // An account pays for no token.
  expect(usageIn(stats as Record<string, unknown>, 'allowance')).toEqual(
    used === null ? null : { ...used, costUsd: null },
  )
})
