// The context that every build command starts from.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { openStoreContext } from '../../compose.ts'
import { findPlace, stateFolder } from '../../config/paths/place.ts'
import { checkoutRoot, findRepository } from '../../config/paths/repository.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { placeAt, type RepositoryPlace } from '../../operations/builds/plain-git.ts'
import type { Call } from '../command.ts'

/** Makes the store where there is none. */
export async function openBuildContext(call: Call): Promise<BuildContext> {
  const { store, scope } = await openStoreContext(call.folder, call.env)
  return { store, scope, now: Date.now, unique: () => uniquePart(Date.now()), person: person() }
}

/** For commands that only look or steer: without a store there is no build, and they do not make one. */
export async function openExistingContext(call: Call): Promise<BuildContext> {
  if (!hasStore(call)) throw refuse('NO_BUILD', { where: 'here' })
  return openBuildContext(call)
}

export function hasStore(call: Call): boolean {
  return existsSync(findPlace(call.folder, call.env).storePath)
}

/** Whether this repository has a store. */
export function hasState(call: Call): boolean {
  return existsSync(stateOf(call))
}

export function stateOf({ folder, env }: Call): string {
  return stateFolder(findRepository(folder, env))
}

/** The root of the operator's checkout, where ralph.toml is. */
export function checkoutOf({ folder, env }: Pick<Call, 'folder' | 'env'>): string {
  return checkoutRoot(folder, env)
}

/** The same, as the working folder of programs that act for the operator. */
export function userPlace(call: Pick<Call, 'folder' | 'env'>): RepositoryPlace {
  return placeAt(call.folder, call.env)
}

/** The number of tasks of this repository and branch that a build has to work on, or to verify. */
export async function unsettled({ store, scope }: BuildContext): Promise<number> {
  const { open, active, blocked } = await store.tasks.counts(scope)
  return open + active + blocked + (await store.tasks.reported(scope)).length
}

/** Sorts by time and is unique across machines. */
export function uniquePart(now: number): string {
  return `${now.toString(36)}${randomBytes(3).toString('hex')}`
}

function person(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname()
  }
}
