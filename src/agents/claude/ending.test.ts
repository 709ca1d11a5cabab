// What no recording has: words of other versions, other accounts and other days.
import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../agent.ts'
import { type Ending, explainCrash, failureOfEnding } from './ending.ts'

const now = Date.parse('2026-11-15T07:40:00Z')

const well: Ending = {
  isError: false,
  subtype: 'success',
  terminalReason: 'completed',
  stopReason: 'end_turn',
  turns: 3,
  status: null,
  names: [],
  words: 'Invalid API key, overloaded, 429 rate limit: all of this I have fixed.',
  hasSpoken: true,
  resetsAt: null,
  blocked: [],
}

describe('what became of a session', () => {
  it('is not judged by the words of the agent', () => {
    expect(failureOfEnding(well, now)).toBeNull()
  })

  it.each<[FailureKind, Partial<Ending>]>([
    ['killed', { terminalReason: 'aborted_tools', subtype: 'error_during_execution', words: '' }],
    ['killed', { terminalReason: 'aborted_streaming', words: 'Request was aborted.' }],
    ['crashed', { subtype: 'error_during_execution', isError: false, words: 'TypeError: x is undefined' }],
    ['crashed', { words: '' }],
    ['timedOut', { subtype: 'error_max_turns', words: 'Reached maximum number of turns (3)' }],
    ['contextTooLong', { words: 'input length and max_tokens exceed context limit: 199000 + 21333' }],
    ['contextTooLong', { status: 413, words: '' }],
    ['billing', { status: 402, words: 'Payment required' }],
    ['billing', { status: 429, words: "You've hit your monthly spend limit" }],
    ['billing', { names: ['billing_error'], words: 'no' }],
    ['rateLimit', { words: 'Claude AI usage limit reached|1794731247' }],
    ['rateLimit', { words: '5-hour limit reached ∙ resets 3pm' }],
    ['rateLimit', { names: ['rate_limit'], words: 'slow down' }],
    ['auth', { words: 'Please run /login · API Error: 401' }],
    ['auth', { words: 'Not logged in · Please run /login' }],
    ['auth', { status: 403, words: 'no' }],
    ['unknownCommand', { status: 404, words: 'not found' }],
    ['badOutput', { stopReason: 'refusal', words: 'API Error: …' }],
    ['badOutput', { words: 'API Error: Claude Code is unable to respond: it appears to violate our Usage Policy' }],
    ['overload', { words: 'API Error: Unable to connect to API (ConnectionRefused)' }],
    ['overload', { words: 'API Error (Request timed out.)' }],
    ['overload', { words: 'Repeated 529 Overloaded errors' }],
    ['overload', { status: 503, words: 'unavailable' }],
    ['unknownCommand', { isError: false, turns: 0, words: 'Unknown command: /x', hasSpoken: false }],
    ['unknownCommand', { isError: false, turns: 1, words: 'Unknown slash command: x', hasSpoken: false }],
    ['permissionDenied', { isError: false, blocked: ['Bash'] }],
  ])('%s: %o', (kind, more) => {
    const failure = failureOfEnding({ ...well, isError: true, ...more }, now)
    expect(failure?.kind).toBe(kind)
    // One sentence: what is wrong, and what to do.
    expect(failure?.sentence).toMatch(/^[^\n]+; [^\n]+$/)
  })

  it('a limit ends when the API says, else when its words say, and never in the past', () => {
    const limited = { ...well, isError: true, status: 429, words: 'resets 9am (UTC)' }
    const until = (resetsAt: number | null, words = limited.words): number | null | undefined =>
      failureOfEnding({ ...limited, resetsAt, words }, now)?.until
    expect(until(now + 5000)).toBe(now + 5000)
    expect(until(null)).toBe(Date.parse('2026-11-15T09:01:00Z'))
    expect(until(now - 5000)).toBe(Date.parse('2026-11-15T09:01:00Z'))
    expect(until(now - 5000, 'slow down')).toBeNull()
  })

  it('quotes no more than a line can hold, and nothing that moves a cursor', () => {
    const words = `\u001B[31m${'long\n'.repeat(1000)}`
    const { sentence = '' } = failureOfEnding({ ...well, isError: true, words }, now) ?? {}
    expect(sentence.length).toBeLessThan(200)
    expect(['\u001B', '\n'].filter((sign) => sentence.includes(sign))).toEqual([])
  })
})

describe('the last words of a CLI that crashed', () => {
  it.each([
    ["error: unknown option '--setting-sources'", 'unknownCommand'],
    ['--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons', 'unknownCommand'],
    ["error: option '--permission-mode <mode>' argument 'x' is invalid. Allowed choices are plan.", 'unknownCommand'],
    ['Not logged in · Please run /login', 'auth'],
    ['Segmentation fault', undefined],
    ['', undefined],
  ])('%s', (words, kind) => {
    expect(explainCrash(words)?.kind).toBe(kind)
  })
})
