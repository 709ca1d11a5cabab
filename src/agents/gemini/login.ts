// Finds the login of Gemini CLI: tokens of a Google account, or a key that it encrypted for this user and machine.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Login } from '../agent.ts'
import { count, fields, text } from '../shared/fields.ts'
import { borrowedFiles } from '../shared/borrowed-credentials.ts'
import type { Environment } from '../../core/values/environment.ts'

/** Variables that stand for a login. */
export const KEYS = [
  'GEMINI_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_USE_GCA',
  'GEMINI_CLI_USE_COMPUTE_ADC',
] as const

/** In a home. */
export const FOLDER = '.gemini'
const TOKENS = 'oauth_creds.json'
const SEALED_KEY = 'gemini-credentials.json'
const BY_KEY = 'gemini-api-key'

function userFolder(user: Environment): string | null {
  const home = user['GEMINI_CLI_HOME'] || user['HOME']
  return home === undefined || home === '' ? null : join(home, FOLDER)
}

export function userLogin(user: Environment): Login {
  const folder = userFolder(user)
  const files = [TOKENS, 'google_accounts.json', SEALED_KEY].map((name) => ({
    own: folder === null ? null : join(folder, name),
    inHome: join(FOLDER, name),
    secretsIn,
    isRenewal,
  }))
  return borrowedFiles(files)
}

/** Google renews the short-lived token and leaves the other; only the file of the tokens has them. */
function isRenewal(before: unknown, after: unknown): boolean {
  const [old, renewed] = [fields(before), fields(after)]
  const isSameUser = text(old['refresh_token']) !== '' && old['refresh_token'] === renewed['refresh_token']
  return isSameUser && count(renewed['expiry_date']) > count(old['expiry_date'])
}

function secretsIn(value: unknown): string[] {
  const { access_token: access, refresh_token: refresh, id_token: id } = fields(value)
  return [access, refresh, id].map(text).filter((secret) => secret !== '')
}

export interface LoginFound {
  /** For people. */
  readonly how: string
  /** What Gemini CLI calls it; null: it sees by itself. */
  readonly selectedType: string | null
  /** What it uses: a key by tokens, an account from its allowance. */
  readonly paidBy: 'tokens' | 'allowance'
}

/** Of the variables, those behind which tokens have a price. */
const BY_TOKENS = ['GEMINI_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI']

/** How a session with this home and this environment is logged in; null: it is not. */
export function loginIn(home: string, env: Environment, user: Environment): LoginFound | null {
  const key = KEYS.find((name) => env[name] !== undefined && env[name] !== '')
  // Where a key and another address are given, it would take the address for a login.
  if (key !== undefined)
    return {
      how: `by ${key}`,
      selectedType: key === 'GEMINI_API_KEY' ? BY_KEY : null,
      paidBy: BY_TOKENS.includes(key) ? 'tokens' : 'allowance',
    }
  const has = (name: string): boolean => existsSync(join(home, FOLDER, name))
  const chosen = chosenType(user)
  if (has(SEALED_KEY) && chosen === BY_KEY) return { how: 'with a kept key', selectedType: chosen, paidBy: 'tokens' }
  if (!has(TOKENS)) return null
  return { how: 'with a Google account', selectedType: 'oauth-personal', paidBy: 'allowance' }
}

/** What the user has chosen; their settings may have comments, so they are not parsed. */
function chosenType(user: Environment): string | null {
  const folder = userFolder(user)
  try {
    const settings = readFileSync(join(folder ?? '', 'settings.json'), 'utf8')
    return /"selectedType"\s*:\s*"([\w-]{1,40})"/.exec(settings)?.[1] ?? null
  } catch {
    return null
  }
}
