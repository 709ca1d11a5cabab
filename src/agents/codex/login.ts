// The user's Codex login: `auth.json` in CODEX_HOME, which holds nothing else.
import { join } from 'node:path'
import type { Login } from '../agent.ts'
import { fields, text } from '../shared/fields.ts'
import { borrowedFiles } from '../shared/borrowed-credentials.ts'
import type { Environment } from '../../core/values/environment.ts'

export function codexLogin(user: Environment): Login {
  return borrowedFiles([{ own: userFile(user), inHome: join('.codex', 'auth.json'), secretsIn, isRenewal }])
}

/** Null: the user has no home. */
function userFile(user: Environment): string | null {
  const own = user['CODEX_HOME']
  if (own !== undefined && own !== '') return join(own, 'auth.json')
  const home = user['HOME']
  return home === undefined ? null : join(home, '.codex', 'auth.json')
}

/** A key, or the tokens of a ChatGPT login. */
function secretsIn(auth: unknown): readonly string[] {
  const { OPENAI_API_KEY: key, tokens } = fields(auth)
  const { access_token: access, refresh_token: refresh, id_token: id } = fields(tokens)
  return [key, access, refresh, id].map(text).filter((secret) => secret !== '')
}

/** Only a login with a later expiry: nonsense that a session wrote into its copy stays there. */
function isRenewal(before: unknown, after: unknown): boolean {
  return secretsIn(after).length > 0 && renewedAt(after) > renewedAt(before)
}

/** In milliseconds since 1970; 0: a key, which is never renewed. */
function renewedAt(auth: unknown): number {
  const at = Date.parse(text(fields(auth)['last_refresh']))
  return Number.isNaN(at) ? 0 : at
}
