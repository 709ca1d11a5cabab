// Where this repository's state is, and the scope of its tasks.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import { branchOf, findRepository, originOf, type Repository } from './repository.ts'
import { startedFrom } from './started-from.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface Place {
  readonly storePath: string
  readonly scope: { readonly repo: string; readonly branch: string }
}

/** A repository's own store holds only its tasks, so their scope needs no further name, even when a remote is added. */
const OWN_STORE = '.'

export function findPlace(folder: string, env: Environment): Place {
  const moved = movedStore(env)
  const elsewhere = moved === null ? null : resolve(folder, moved)
  const { RALPH_SCOPE_REPO: repo, RALPH_SCOPE_BRANCH: branch } = env
  if (elsewhere !== null && repo && branch) return { storePath: elsewhere, scope: { repo, branch } }
  const repository = findRepository(folder, env)
  return {
    storePath: elsewhere ?? join(stateFolder(repository), 'ralph.db'),
    scope: {
      repo: repo || (elsewhere === null ? OWN_STORE : sharedName(repository)),
      branch: branch || scopeBranch(repository),
    },
  }
}

/** The branch that is checked out; for a build that works in place, the branch it was started from. */
function scopeBranch(repository: Repository): string {
  const branch = branchOf(repository)
  return branch.startsWith('ralph/') ? (startedFrom(repository, branch) ?? branch) : branch
}

/** Under the common git dir: safe from `git clean`, and shared by linked worktrees. */
export function stateFolder(repository: Repository): string {
  return join(repository.commonDir, 'ralph')
}

/**
 * The state folders that a command called here would act on: the repository's own, the folder of its store, and, in the
 * folder of a session, whose git dir borrows the engine's objects, that of the build.
 */
export function statesReached(folder: string, env: Environment): readonly string[] {
  const repositories = [() => findRepository(folder, env)].flatMap(orNone)
  const stores = [() => dirname(findPlace(folder, env).storePath)].flatMap(orNone)
  const lenders = repositories.flatMap(({ commonDir }) => lendersOf(commonDir))
  return [...new Set([...repositories.map(stateFolder), ...stores, ...lenders])]
}

/** `<state>/repo.git/objects` */
function lendersOf(commonDir: string): readonly string[] {
  const alternates = [() => readFileSync(join(commonDir, 'objects/info/alternates'), 'utf8')].flatMap(orNone)
  return alternates.flatMap((text) => text.split('\n').filter(Boolean)).map((objects) => dirname(dirname(objects)))
}

/** The command itself reports whatever is wrong there. */
function orNone<T>(find: () => T): readonly T[] {
  try {
    return [find()]
  } catch {
    return []
  }
}

function sharedName(repository: Repository): string {
  return originOf(repository) ?? dirname(repository.commonDir)
}

/** The path of a store that was moved by RALPH_DATABASE_URL or its alias; null: the repository's own. */
function movedStore(env: Environment): string | null {
  const variable = env['RALPH_DATABASE_URL'] ? 'RALPH_DATABASE_URL' : 'RALPH_DB_URL'
  const url = env[variable]
  if (!url) return null
  // `sqlite:/path`, `sqlite:relative`, `sqlite:///path`; two slashes start a host, and a file has none.
  const path = /^sqlite:(?:\/\/(?=\/))?((?!\/\/).+)$/is.exec(url)?.[1]
  if (path === undefined) throw refuse('STORE_URL_BAD', { variable, other: shownScheme(url) })
  return path
}

/** Only the scheme: the rest of such an address may contain a password. */
function shownScheme(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'sqlite') return 'a sqlite: address without a path, or with a host'
  return scheme === undefined ? 'what it holds' : `'${scheme}:' addresses`
}
