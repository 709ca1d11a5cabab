import { expect, it } from 'vitest'
import type { FailureKind } from '../agent.ts'
import { apiFailure } from './api-failure.ts'

const ABOUT = { program: 'prog', table: 'agent.prog', login: 'log in' }
const NOW = 1_000_000
const HOUR = 3_600_000

it.each<[number | null, string, FailureKind | null, (number | null)?]>([
  [401, 'no', 'auth'],
  [403, 'The caller does not have permission', 'auth'],
  [400, 'API key not valid. Please pass a valid API key.', 'auth'],
  [null, 'Invalid api key', 'auth'],
  [402, '', 'billing'],
  [429, 'You exceeded your current quota: insufficient_quota', 'billing'],
  [400, 'Your credit balance is too low', 'billing'],
  [429, 'Your prepayment credits are depleted.', 'billing'],
  [429, 'slow down', 'rateLimit', null],
  [429, 'Please retry in 34.5s.', 'rateLimit', NOW + 34_500],
  [429, '{"retryDelay": "30s"}', 'rateLimit', NOW + 30_000],
  [429, 'Your quota will reset after 18h3m2s.', 'rateLimit', NOW + 18 * HOUR + 182_000],
  [429, 'retry after 3600', 'rateLimit', NOW + HOUR],
  [429, 'retry after 99999999999', 'rateLimit', null],
  [null, 'You have exhausted your daily quota on this model.', 'rateLimit'],
  [413, '', 'contextTooLong'],
  [400, 'The input token count (2) exceeds the maximum number of tokens', 'contextTooLong'],
  [400, "This model's maximum context length is 8192 tokens", 'contextTooLong'],
  [404, 'models/x is not found', 'unknownCommand'],
  [null, 'ProviderModelNotFoundError: x', 'unknownCommand'],
  [500, 'oops', 'overload'],
  [529, 'Overloaded', 'overload'],
  [null, 'The server had an error while processing your request.', 'overload'],
  [null, 'fetch failed', 'overload'],
  [null, 'connect ECONNREFUSED 127.0.0.1:1', 'overload'],
  [400, 'tools.0 is not allowed', null],
  [null, '', null],
])('%s %s is %s', (status, words, kind, until = null) => {
  const failure = apiFailure({ status, words }, ABOUT, NOW)
  const sentence = expect.stringMatching(/^[^\n]{10,300}; [^\n]{5,}$/) as string
  expect(failure).toEqual(kind === null ? null : { kind, sentence, until })
})

it('says what was said, in one line of bounded length', () => {
  const sentence = apiFailure({ status: 401, words: `a\nb ${'x'.repeat(500)}` }, ABOUT, NOW)?.sentence
  expect(sentence).toBe(`the login of prog is not accepted (a b ${'x'.repeat(96)}…); log in`)
})
