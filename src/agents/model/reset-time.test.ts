import { describe, expect, it } from 'vitest'
import { resetTime } from './reset-time.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')
const inSeconds = (seconds: number): number => NOW + seconds * 1000

describe('the end of a limit', () => {
  it.each<[string, Record<string, string>, string, number | null]>([
    ['in seconds', { 'retry-after': '30' }, '', inSeconds(30)],
    ['in milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, '', inSeconds(1.5)],
    ['as a date', { 'retry-after': 'Sun, 15 Nov 2026 10:05:00 GMT' }, '', inSeconds(300)],
    ['of a subscription', { 'anthropic-ratelimit-unified-reset': `${NOW / 1000 + 3600}` }, '', inSeconds(3600)],
    [
      'of several counts: the last',
      {
        'anthropic-ratelimit-requests-reset': '2026-11-15T10:00:10Z',
        'anthropic-ratelimit-tokens-reset': '2026-11-15T10:01:00Z',
      },
      '',
      inSeconds(60),
    ],
    [
      'as OpenAI says it',
      { 'x-ratelimit-reset-requests': '20ms', 'x-ratelimit-reset-tokens': '6m0s' },
      '',
      inSeconds(360),
    ],
    ['as Gemini says it', {}, '{"details": [{"retryDelay": "34.5s"}]}', inSeconds(34.5)],
    ['in words', {}, 'Please try again in 1m2.5s.', inSeconds(62.5)],
    ['that is over', { 'retry-after': '0' }, '', null],
    ['that is misread', { 'retry-after': '99999999' }, '', null],
    ['that is nonsense', { 'retry-after': 'soon' }, '', null],
    ['of which nothing is said', {}, '', null],
  ])('%s', (_, headers, body, until) => {
    expect(resetTime(headers, body, NOW)).toBe(until)
  })
})
