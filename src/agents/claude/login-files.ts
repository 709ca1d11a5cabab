// Finds the login of Claude Code in its files. On Linux, and on macOS without the Keychain, `.credentials.json` has
// the tokens and `.claude.json` the account. The same files contain logins of MCP servers, histories, projects and
// settings, which are left alone.
import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../../system/files.ts'
import { type Fields, fields } from '../shared/fields.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface LoginPlace {
  readonly folder: string
  readonly credentials: string
  readonly account: string
}

/** Null: the user has no home. */
export function userPlace(user: Environment): LoginPlace | null {
  const own = user['CLAUDE_CONFIG_DIR']
  if (own !== undefined && own !== '') return placeIn(own, own)
  const home = user['HOME']
  return home === undefined ? null : homePlace(home)
}

export function homePlace(home: string): LoginPlace {
  return placeIn(join(home, '.claude'), home)
}

function placeIn(folder: string, above: string): LoginPlace {
  return { folder, credentials: join(folder, '.credentials.json'), account: join(above, '.claude.json') }
}

/** The tokens of a subscription. */
export interface Tokens extends Fields {
  readonly accessToken: string
  readonly refreshToken: string
  /** In milliseconds. */
  readonly expiresAt: number
}

const TOKENS = 'claudeAiOauth'
/** The part of `.claude.json` that a login needs: the account, and the key of a user who pays by use. */
const ACCOUNT_KEYS = ['oauthAccount', 'primaryApiKey'] as const

export async function readTokens(place: LoginPlace): Promise<Tokens | null> {
  const tokens = fields((await readJson(place.credentials))?.[TOKENS])
  const { accessToken, refreshToken, expiresAt } = tokens
  const isWhole = isWord(accessToken) && isWord(refreshToken) && typeof expiresAt === 'number'
  return isWhole ? (tokens as Tokens) : null
}

/** Replaces these entries; all others in the file stay. */
export async function writeTokens(place: LoginPlace, tokens: Tokens): Promise<void> {
  const rest = (await readJson(place.credentials)) ?? {}
  await replaceJson(place.credentials, { ...rest, [TOKENS]: tokens })
}

export async function readAccount(place: LoginPlace): Promise<Fields> {
  const all = (await readJson(place.account)) ?? {}
  return Object.fromEntries(ACCOUNT_KEYS.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])))
}

export async function writeAccount(place: LoginPlace, account: Fields): Promise<void> {
  await mkdir(place.folder, { recursive: true, mode: 0o700 })
  await replaceJson(place.account, account)
}

export function isSameLogin(one: Tokens, other: Tokens): boolean {
  return one.accessToken === other.accessToken && one.refreshToken === other.refreshToken
}

/** Null: there is no file, or it is being written. */
async function readJson(path: string): Promise<Fields | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

/** Writes atomically and keeps the mode of the file; a new file is for its user only. */
async function replaceJson(named: string, value: Fields): Promise<void> {
  // The file may be a link to another place, which must stay.
  const path = await realpath(named).catch(() => named)
  const mode = ((await stat(path).catch(() => null))?.mode ?? 0o600) & 0o777
  await writeWhole(path, `${JSON.stringify(value)}\n`, { mode, flushed: true })
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
