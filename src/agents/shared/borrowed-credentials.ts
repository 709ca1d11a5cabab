// The user's credential files, borrowed by a session. The session has copies; each pair stays in step while it lasts:
//
//   the session renewed its copy    the user's file gets it, if it still holds what was borrowed
//   the user's file was changed     the copy gets it, if the session has not changed its own
//   both                            each keeps its own: neither may destroy the other's
//
// Anything else that a session writes there stays in its copy.
//
// Renewing a login may end the one before it. So a change is copied when it happens, not only at the end. The next start
// copies what a session left that was killed with its engine.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { BorrowedCredentials, Login } from '../agent.ts'
import { inTurn, watchFile } from './watched-file.ts'
import { sha256 } from '../../system/hash.ts'

export interface BorrowedFile {
  /** Of the user; null: there is no home it could be in. */
  readonly own: string | null
  /** Below the home of a session. */
  readonly inHome: string
  /** What of it nobody must see. */
  readonly secretsIn: (value: unknown) => readonly string[]
  readonly isRenewal: (before: unknown, after: unknown) => boolean
}

/** Files are JSON; one that is not is neither lent nor taken back. */
export function borrowedFiles(files: readonly BorrowedFile[]): Login {
  return {
    borrow: async (home) => {
      const borrowed = await Promise.all(files.map((file) => borrow(file, home)))
      return {
        secrets: () => borrowed.flatMap(({ secrets }) => secrets()),
        giveBack: async () => {
          for (const { giveBack } of borrowed) await giveBack()
        },
      }
    },
    takeBackRenewed: async (home) => {
      for (const { own, inHome, isRenewal } of files) {
        const copy = join(home, inHome)
        const [text, digest] = [await readJson(copy), await readText(borrowedMark(home, inHome))]
        if (own === null || text === null || digest === null) continue
        const users = await readJson(own)
        if (users === null || digestOf(users) !== digest || text === users) continue
        if (isRenewal(JSON.parse(users), JSON.parse(text))) await replace(own, users, text)
      }
    },
  }
}

const NOTHING_LENT: BorrowedCredentials = { secrets: () => [], giveBack: async () => {} }

async function borrow({ own, inHome, secretsIn, isRenewal }: BorrowedFile, home: string): Promise<BorrowedCredentials> {
  const text = own === null ? null : await readJson(own)
  if (own === null || text === null) return NOTHING_LENT
  const copy = join(home, inHome)
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  await writeFile(copy, text, { mode: 0o600 })
  const mark = borrowedMark(home, inHome)
  await writeFile(mark, digestOf(text), { mode: 0o600 })
  const secrets = new Set(secretsIn(JSON.parse(text)))
  let borrowed = text
  const align = inTurn(async () => {
    const [users, sessions] = [await readJson(own), await readJson(copy)]
    // A user who has logged out stays logged out.
    if (users === null || sessions === null) return
    for (const seen of [users, sessions]) for (const secret of secretsIn(JSON.parse(seen))) secrets.add(secret)
    if (users === sessions) return
    if (users === borrowed && isRenewal(JSON.parse(borrowed), JSON.parse(sessions))) {
      await replace(own, borrowed, sessions)
      borrowed = sessions
    } else if (sessions === borrowed) {
      await replace(copy, borrowed, users)
      borrowed = users
    } else return
    await writeFile(mark, digestOf(borrowed))
  })
  const watchers = [own, copy].map((path) => watchFile(path, align))
  return {
    secrets: () => [...secrets],
    giveBack: async () => {
      for (const watcher of watchers) watcher?.close()
      await align()
    },
  }
}

/** Beside the home: the digest of the borrowed login, so that a later engine knows the origin of the copy. */
function borrowedMark(home: string, inHome: string): string {
  return join(dirname(home), `lent-${basename(inHome)}`)
}

function digestOf(text: string): string {
  return sha256(text)
}

function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

/** Null: there is no such file, it is no JSON object, or it is being written. */
async function readJson(path: string): Promise<string | null> {
  const text = await readText(path)
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? text : null
  } catch {
    return null
  }
}

/** Whole or not at all, with the rights that the file had, and only if it is still what it was a moment ago. */
async function replace(named: string, before: string, text: string): Promise<void> {
  // The file may be a link to another place, which must stay.
  const path = await realpath(named).catch(() => named)
  const mode = ((await stat(path).catch(() => null))?.mode ?? 0o600) & 0o777
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, text, { mode, flush: true })
    if ((await readText(path)) !== before) throw new Error(`${path} was changed meanwhile`)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
