// Where a program that uses the library works: a repository and its store.
import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { basename } from 'node:path'
import { openStoreContext, openServedRepository, requireOperator } from '../compose.ts'
import { checkoutRoot } from '../config/paths/repository.ts'
import type { BuildContext } from '../operations/builds/builds.ts'
import { type Parts, withParts } from '../operations/in-process-agents.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'
import type { Environment } from '../core/values/environment.ts'

export interface Place {
  /** A folder in the repository; default: the current one. */
  readonly folder?: string
  /** Default: this process's. */
  readonly env?: Environment
  /** `sqlite:/path`; default: the repository's own store. */
  readonly db?: { readonly url: string } | undefined
  /** Who acts, for the record; default: this user. */
  readonly person?: string
}

export interface OpenPlace {
  readonly context: BuildContext
  /** @deprecated Use `context`. */
  readonly desk: BuildContext
  /** The checkout. */
  readonly folder: string
  readonly env: Environment
}

/** Opens what every operation takes first. The caller closes it: `context.store.close()`. */
export async function openPlace(place: Place = {}): Promise<OpenPlace> {
  const { folder = process.cwd(), db, person = user() } = place
  const given = place.env ?? process.env
  const env = db === undefined ? given : { ...given, RALPH_DATABASE_URL: db.url }
  const { store, scope } = await openStoreContext(folder, env)
  const unique = (): string => `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`
  const context: BuildContext = { store, scope, now: Date.now, unique, person }
  return { context, desk: context, folder: checkoutRoot(folder, env), env }
}

/** The same for driving and settling builds, which is refused to sessions. `what`: the name of the call. */
export async function openForOperator(place: Place, what: string): Promise<OpenPlace> {
  const { folder = process.cwd(), env = process.env } = place
  await requireOperator(folder, env, what)
  return openPlace(place)
}

/** The repository for operations, with the program's own parts instead of agents. */
export function servedRepositoryOf({ context, folder, env }: OpenPlace, parts: Parts = {}): ServedRepository {
  const note = (sentence: string): void => process.emitWarning(sentence)
  const servedRepo = openServedRepository({ context, root: folder, env, name: basename(folder), note })
  return { ...servedRepo, openEngine: async (config, at) => withParts(await servedRepo.openEngine(config, at), parts) }
}

function user(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname()
  }
}
