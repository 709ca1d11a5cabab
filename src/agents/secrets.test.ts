import { describe, expect, it } from 'vitest'
import type { AgentEvent } from './agent.ts'
import { redactedEvent, redactor, secretsAmong } from './secrets.ts'

describe('which variables are secret', () => {
  it.each([
    ['ANTHROPIC_API_KEY', 'sk-ant-0123456789', ['sk-ant-0123456789']],
    ['GITHUB_TOKEN', 'ghp_0123456789', ['ghp_0123456789']],
    ['MY_SERVICE_TOKEN_2', 'abcdefgh', ['abcdefgh']],
    ['DB_PASSWORD', 'correct horse', ['correct horse']],
    ['npm_config_apikey', 'x'.repeat(8), ['x'.repeat(8)]],
    ['APIKEY', 'x'.repeat(8), ['x'.repeat(8)]],
    ['DATABASE_URL', 'postgres://me:hunter22@db/x', ['hunter22']],
    ['SENTRY_DSN', 'https://abc:def@sentry/1', ['https://abc:def@sentry/1', 'def']],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json', []],
    ['KEYBOARD_LAYOUT', 'dvorak-intl', []],
    ['MONKEY', 'bananas-bananas', []],
    ['NODE_ENV', 'production', []],
    ['UNSET_TOKEN', undefined, []],
  ])('%s', (name, value, secrets) => {
    expect(secretsAmong({ [name]: value, OTHER_TOKEN: 'not listed' }, [name])).toEqual(secrets)
  })
})

const SECRET = 'canary+7f3c/9a1e "q" é'
const KEY = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END KEY-----'

describe('what is shown of a text with secrets', () => {
  const redact = redactor([SECRET, KEY, 'short', '', 'canary+7f3c/9a1e "q" é and more'])
  it.each([
    ['as it is', `a ${SECRET} b ${SECRET}`, 'a [redacted] b [redacted]'],
    ['in JSON', JSON.stringify({ a: SECRET }), '{"a":"[redacted]"}'],
    ['in a URL', `?k=${encodeURIComponent(SECRET)}&x`, '?k=[redacted]&x'],
    ['inside a longer one', `${SECRET} and more`, '[redacted]'],
    ['line by line', KEY.split('\n').slice(1, 2).join(), '[redacted]'],
    ['whole, with lines', `x ${KEY} y`, 'x [redacted] y'],
    ['too short to be one', 'a short word', 'a short word'],
  ])('%s', (_, text, shown) => {
    expect(redact(text)).toBe(shown)
  })

  it.each([0, 1, 2, 3, 4, 5])('in base64, after %i bytes', (before) => {
    for (const after of ['', 'x', 'xyz']) {
      const encoded = Buffer.from(`${'.'.repeat(before)}${SECRET}${after}`).toString('base64')
      const shown = redact(encoded)
      expect(shown).toContain('[redacted]')
      // What stays are edges of at most two groups of four.
      expect(shown.replace('[redacted]', '').length).toBeLessThanOrEqual(12 + Math.floor(before / 3) * 4)
    }
  })

  it('is the same for every kind of event', () => {
    const said = (text: string): AgentEvent[] => [
      { type: 'text', text },
      { type: 'thinking', text },
      { type: 'log', text },
      { type: 'toolUse', tool: text, input: text },
      { type: 'toolResult', tool: text, output: text, isError: true },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: 3 } },
    ]
    expect(said(SECRET).map((event) => redactedEvent(event, redact))).toEqual(said('[redacted]'))
  })

  it('costs nothing where there are none', () => {
    const text = 'anything'
    expect(redactor([])(text)).toBe(text)
  })
})
