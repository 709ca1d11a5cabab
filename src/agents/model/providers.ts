// The address of each provider's models, and the variables with which its users set a key and an address. This file
// loads nothing of the SDKs.
import type { Environment } from '../../core/values/environment.ts'

export type Provider = 'anthropic' | 'openai' | 'google' | 'openai-compatible'

interface KnownProvider {
  /** Variables that hold a key, the usual one first. */
  readonly keys: readonly string[]
  readonly addresses: readonly string[]
  readonly address: string | null
  /** What follows the host where an address does not say. */
  readonly path: string
}

const providers: Readonly<Record<Provider, KnownProvider>> = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    addresses: ['ANTHROPIC_BASE_URL'],
    address: 'https://api.anthropic.com/v1',
    path: '/v1',
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    addresses: ['OPENAI_BASE_URL'],
    address: 'https://api.openai.com/v1',
    path: '/v1',
  },
  google: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    address: 'https://generativelanguage.googleapis.com/v1beta',
    path: '/v1beta',
  },
  // A key is sent to a host of one's own only where one says which: many servers want none.
  'openai-compatible': { keys: [], addresses: [], address: null, path: '/v1' },
}

export interface AccessSettings {
  readonly provider: Provider
  readonly baseUrl: string | null
  readonly keyVariable: string | null
  readonly credentials: 'user' | 'none'
  readonly env: readonly string[]
}

export interface Access {
  /** Null: none is needed. */
  readonly variable: string | null
  /** Null: none is needed, or it is not set. */
  readonly key: string | null
  readonly address: string | null
}

/** With `credentials = "none"` only what is listed in `env`, or named as the key's variable, is looked at. */
export function accessOf(settings: AccessSettings, user: Environment): Access {
  const { keys, addresses, address, path } = providers[settings.provider]
  const isSeen = (name: string): boolean => settings.credentials === 'user' || settings.env.includes(name)
  const set = (names: readonly string[]): string | undefined => names.find((name) => isSeen(name) && user[name])
  const variable = settings.keyVariable ?? set(keys) ?? keys[0] ?? null
  const isKeySeen = variable !== null && (settings.keyVariable !== null || isSeen(variable))
  const named = settings.baseUrl ?? user[set(addresses) ?? ''] ?? address
  return {
    variable,
    key: isKeySeen ? user[variable] || null : null,
    address: named === null ? null : withPath(named, path),
  }
}

/** `http://127.0.0.1:8080` means `http://127.0.0.1:8080/v1`; with a path of its own it is left as it is. */
function withPath(address: string, path: string): string {
  const plain = address.replace(/\/+$/, '')
  return URL.canParse(plain) && new URL(plain).pathname === '/' ? `${plain}${path}` : plain
}
