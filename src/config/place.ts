// Where this repository's state lives, and in which scope its tasks are.
import { dirname, join, resolve } from 'node:path'
import { refuse } from '../core/error.ts'
import { findRepository, originOf, type Repository } from './repository.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Place {
  readonly storePath: string
  readonly scope: { readonly repo: string; readonly branch: string }
}

/** A repository's own store holds only its tasks, so they need no further name: it stays when a remote is added. */
const OWN_STORE = '.'

export function findPlace(folder: string, env: Environment): Place {
  const elsewhere = storeUrl(env)
  const { RALPH_SCOPE_REPO: repo, RALPH_SCOPE_BRANCH: branch } = env
  if (elsewhere !== null && repo && branch) return { storePath: resolve(folder, elsewhere), scope: { repo, branch } }
  const repository = findRepository(folder, env)
  return {
    storePath: elsewhere === null ? join(stateFolder(repository), 'ralph.db') : resolve(folder, elsewhere),
    scope: {
      repo: repo || (elsewhere === null ? OWN_STORE : sharedName(repository)),
      branch: branch || repository.branch,
    },
  }
}

/** Under the common git dir: safe from `git clean`, shared by linked worktrees. */
export function stateFolder(repository: Repository): string {
  return join(repository.commonDir, 'ralph')
}

function sharedName(repository: Repository): string {
  return originOf(repository) ?? dirname(repository.commonDir)
}

/** The path of a store that was moved by RALPH_DATABASE_URL; null: the repository's own. */
function storeUrl(env: Environment): string | null {
  const url = env['RALPH_DATABASE_URL'] || env['RALPH_DB_URL']
  if (!url) return null
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  // Only the scheme is shown: the rest of such an address may hold a password.
  if (path === undefined) throw refuse('STORE_URL_BAD', { scheme: /^[a-z]*/i.exec(url)?.[0] ?? '' })
  return path
}
