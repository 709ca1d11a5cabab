// The user's login of Codex, lent to a session: `auth.json` in CODEX_HOME, which holds nothing else. A session has a copy
// of its own; both are kept the same while it lasts, as renewing a login may end the one before it:
//
//   the session renewed its copy   the user's file gets it, if it still holds what was lent
//   the user's file was renewed    the copy gets it, if the session has not renewed its own
//   both                           each keeps its own: neither may destroy the other's
import { createHash, randomBytes } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Environment } from '../agent-environment.ts'
import type { Lent, Login } from '../agent.ts'
import { fields, text } from '../claude/fields.ts'
import { withLoginLock } from '../claude/login-lock.ts'
import { variables } from './command-line.ts'

/** Beside the home: the digest of what was lent, so that a later engine knows what the copy came from. */
const LENT_FILE = 'lent'

interface Auth {
  /** The file as it is. */
  readonly text: string
  readonly secrets: readonly string[]
  /** In milliseconds since 1970; 0: a key, which nobody renews. */
  readonly renewedAt: number
}

const NOTHING_LENT: Lent = { secrets: () => [], giveBack: async () => {} }

export function codexLogin(user: Environment): Login {
  const own = userFile(user)
  return {
    lend: async (home) => {
      const auth = own === null ? null : await readAuth(own)
      return own === null || auth === null ? NOTHING_LENT : lend(own, home, auth)
    },
    salvage: async (home) => {
      const renewed = await readAuth(copyIn(home))
      const lent = await readFile(lentFile(home), 'utf8').catch(() => null)
      if (own === null || renewed === null || lent === null) return
      await withLoginLock(dirname(own), async () => {
        const users = await readAuth(own)
        if (users !== null && digestOf(users) === lent && isRenewal(users, renewed)) await writeAuth(own, renewed)
      })
    },
  }
}

async function lend(own: string, home: string, auth: Auth): Promise<Lent> {
  const copy = copyIn(home)
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  await writeAuth(copy, auth)
  const secrets = new Set(auth.secrets)
  let lent = auth
  const noted = (): Promise<void> => writeFile(lentFile(home), digestOf(lent), { mode: 0o600 })
  await noted()
  const align = async (): Promise<void> => {
    const [users, sessions] = [await readAuth(own), await readAuth(copy)]
    for (const seen of [users, sessions]) for (const secret of seen?.secrets ?? []) secrets.add(secret)
    // Where the user has logged out, that stays so.
    if (users === null || sessions === null) return
    if (users.text === lent.text && isRenewal(lent, sessions)) {
      await writeAuth(own, sessions)
      lent = sessions
    } else if (sessions.text === lent.text && users.text !== lent.text) {
      await writeAuth(copy, users)
      lent = users
    } else return
    await noted()
  }
  const aligned = inTurn(async () => {
    await withLoginLock(dirname(own), align)
  })
  const watchers = [own, copy].map((path) => watchFile(path, aligned))
  return {
    secrets: () => [...secrets],
    giveBack: async () => {
      for (const watcher of watchers) watcher?.close()
      await aligned()
    },
  }
}

/** Null: the user has no home. */
function userFile(user: Environment): string | null {
  const own = user['CODEX_HOME']
  if (own !== undefined && own !== '') return join(own, 'auth.json')
  const home = user['HOME']
  return home === undefined ? null : join(home, '.codex', 'auth.json')
}

function copyIn(home: string): string {
  return join(variables(home).CODEX_HOME, 'auth.json')
}

function lentFile(home: string): string {
  return join(dirname(home), LENT_FILE)
}

/** Null: there is no such file, it holds no login, or it is being written. */
async function readAuth(path: string): Promise<Auth | null> {
  try {
    const words = await readFile(path, 'utf8')
    const auth = fields(JSON.parse(words))
    const tokens = fields(auth['tokens'])
    const held = [auth['OPENAI_API_KEY'], tokens['access_token'], tokens['refresh_token'], tokens['id_token']]
    const secrets = held.map(text).filter((secret) => secret !== '')
    const renewedAt = Date.parse(text(auth['last_refresh']))
    return secrets.length === 0 ? null : { text: words, secrets, renewedAt: Number.isNaN(renewedAt) ? 0 : renewedAt }
  } catch {
    return null
  }
}

/** Only what is later than it was: a session that wrote nonsense into its copy keeps it for itself. */
function isRenewal(before: Auth, after: Auth): boolean {
  return before.text !== after.text && after.renewedAt > before.renewedAt
}

/** Whole or not at all, with the rights that the file had; a new one is for its user only. */
async function writeAuth(named: string, auth: Auth): Promise<void> {
  // Some keep it elsewhere and have a link here, which is to stay.
  const path = await realpath(named).catch(() => named)
  const mode = ((await stat(path).catch(() => null))?.mode ?? 0o600) & 0o777
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, auth.text, { mode, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function digestOf(auth: Auth): string {
  return createHash('sha256').update(auth.text).digest('hex')
}

/** Calls wait for each other; those that come while one waits are one. Never rejects: what failed is tried at the end. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(async () => {
      next = null
      await work().catch(() => {})
    })
    running = next
    return next
  }
}

/** Of the folder, as a file that is replaced is another file. Null: the system cannot; then the end of the session does. */
function watchFile(path: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === basename(path)) changed()
    })
    return watcher.on('error', () => {})
  } catch {
    return null
  }
}
