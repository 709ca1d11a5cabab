// The user's login, borrowed by a session. A session has its own copy; both stay in step while it lasts:
//
//   the session renewed its copy   the user's file gets it, if it still holds the borrowed login
//   the user's file was renewed    the copy gets it, if the session has not renewed its own
//   both                           each keeps its own: neither may destroy the other's
//
// Renewing a login may end the one before it. So a renewed login is copied when it happens, not only at the end. The next
// start copies the login of a session that was killed with its engine.
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BorrowedCredentials, Login } from '../agent.ts'
import { type Fields, text } from '../shared/fields.ts'
import { inTurn, watchFile } from '../shared/watched-file.ts'
import {
  homePlace,
  isSameLogin,
  type LoginPlace,
  readAccount,
  readTokens,
  type Tokens,
  userPlace,
  writeAccount,
  writeTokens,
} from './login-files.ts'
import { withLoginLock } from './login-lock.ts'
import type { Environment } from '../../core/values/environment.ts'
import { sha256 } from '../../system/hash.ts'

/** Beside the home: the digest of the borrowed login, so that a later engine knows the origin of the copy. */
const LENT_FILE = 'lent'

export function userLogin(user: Environment): Login {
  const own = userPlace(user)
  return {
    borrow: async (home) => {
      const account = own === null ? {} : await readAccount(own)
      const tokens = own === null ? null : await readTokens(own)
      if (own === null || (tokens === null && Object.keys(account).length === 0)) return NOTHING_LENT
      const copy = homePlace(home)
      await writeAccount(copy, account)
      return tokens === null ? borrowedKey(account) : borrowedTokens(own, copy, tokens, account)
    },
    takeBackRenewed: async (home) => {
      const copy = homePlace(home)
      const renewed = await readTokens(copy)
      const borrowed = await readFile(borrowedFile(copy), 'utf8').catch(() => null)
      if (own === null || renewed === null || borrowed === null) return
      await withLoginLock(own.folder, async () => {
        const users = await readTokens(own)
        if (users !== null && digestOf(users) === borrowed && isRenewal(users, renewed)) await writeTokens(own, renewed)
      })
    },
  }
}

const NOTHING_LENT: BorrowedCredentials = { secrets: () => [], giveBack: async () => {} }

function borrowedKey(account: Fields): BorrowedCredentials {
  return { ...NOTHING_LENT, secrets: () => secretsOf(null, account) }
}

async function borrowedTokens(
  own: LoginPlace,
  copy: LoginPlace,
  tokens: Tokens,
  account: Fields,
): Promise<BorrowedCredentials> {
  await writeTokens(copy, tokens)
  await writeFile(borrowedFile(copy), digestOf(tokens), { mode: 0o600 })
  const secrets = new Set(secretsOf(tokens, account))
  let borrowed = tokens
  const align = async (): Promise<void> => {
    const [users, sessions] = [await readTokens(own), await readTokens(copy)]
    for (const seen of [users, sessions]) for (const secret of secretsOf(seen, {})) secrets.add(secret)
    // A user who has logged out stays logged out.
    if (users === null || sessions === null) return
    if (isSameLogin(users, borrowed) && isRenewal(borrowed, sessions)) {
      await writeTokens(own, sessions)
      borrowed = sessions
    } else if (isSameLogin(sessions, borrowed) && !isSameLogin(users, borrowed)) {
      await writeTokens(copy, users)
      borrowed = users
    } else return
    await writeFile(borrowedFile(copy), digestOf(borrowed))
  }
  const aligned = inTurn(async () => {
    await withLoginLock(own.folder, align)
  })
  const watchers = [own, copy].map(({ credentials }) => watchFile(credentials, aligned))
  return {
    secrets: () => [...secrets],
    giveBack: async () => {
      for (const watcher of watchers) watcher?.close()
      await aligned()
    },
  }
}

/** Only a login with a later expiry: nonsense that a session wrote into its copy stays there. */
function isRenewal(before: Tokens, after: Tokens): boolean {
  return !isSameLogin(before, after) && after.expiresAt > before.expiresAt
}

function secretsOf(tokens: Tokens | null, account: Fields): string[] {
  const all = [text(tokens?.accessToken), text(tokens?.refreshToken), text(account['primaryApiKey'])]
  return all.filter((secret) => secret !== '')
}

function borrowedFile({ folder }: LoginPlace): string {
  return join(dirname(dirname(folder)), LENT_FILE)
}

function digestOf({ accessToken, refreshToken }: Tokens): string {
  return sha256(`${accessToken}\n${refreshToken}`)
}
