import { describe, expect, it } from 'vitest'
import { type Access, type AccessSettings, accessOf } from './providers.ts'
import type { Environment } from '../../core/values/environment.ts'

const none = { baseUrl: null, keyVariable: null, credentials: 'user', env: [] } as const

describe('the way to a provider', () => {
  it.each<[string, Partial<AccessSettings> & Pick<AccessSettings, 'provider'>, Environment, Access]>([
    [
      'by its usual variables',
      { provider: 'anthropic' },
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' },
      { variable: 'ANTHROPIC_API_KEY', key: 'k', address: 'http://127.0.0.1:1/v1' },
    ],
    [
      'without a key',
      { provider: 'openai' },
      {},
      { variable: 'OPENAI_API_KEY', key: null, address: 'https://api.openai.com/v1' },
    ],
    [
      'by the second of its variables',
      { provider: 'google' },
      { GOOGLE_API_KEY: 'k' },
      { variable: 'GOOGLE_API_KEY', key: 'k', address: 'https://generativelanguage.googleapis.com/v1beta' },
    ],
    [
      'of one’s own: no key by chance',
      { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
      { OPENAI_API_KEY: 'k' },
      { variable: null, key: null, address: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'of one’s own, with a key',
      { provider: 'openai-compatible', baseUrl: 'https://host/api/v2/', keyVariable: 'MINE' },
      { MINE: 'k' },
      { variable: 'MINE', key: 'k', address: 'https://host/api/v2' },
    ],
    [
      'with nothing of the user’s but what is listed',
      { provider: 'anthropic', credentials: 'none' },
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://x' },
      { variable: 'ANTHROPIC_API_KEY', key: null, address: 'https://api.anthropic.com/v1' },
    ],
    [
      'with what is listed',
      { provider: 'anthropic', credentials: 'none', env: ['ANTHROPIC_API_KEY'] },
      { ANTHROPIC_API_KEY: 'k' },
      { variable: 'ANTHROPIC_API_KEY', key: 'k', address: 'https://api.anthropic.com/v1' },
    ],
    [
      'with an empty variable, which is none',
      { provider: 'anthropic' },
      { ANTHROPIC_API_KEY: '' },
      { variable: 'ANTHROPIC_API_KEY', key: null, address: 'https://api.anthropic.com/v1' },
    ],
  ])('%s', (_, settings, user, access) => {
    expect(accessOf({ ...none, ...settings }, user)).toEqual(access)
  })
})
