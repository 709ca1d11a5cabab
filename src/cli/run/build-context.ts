// What every build command starts from.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { openStoreContext } from '../../compose.ts'
import { findPlace, stateFolder } from '../../config/place/place.ts'
import { checkoutRoot, findRepository } from '../../config/place/repository.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { placeAt, type RepositoryPlace } from '../../operations/builds/plain-git.ts'
import type { Call } from '../command.ts'

/** Makes the store where there is none. */
export async function openBuildContext(call: Call): Promise<BuildContext> {
  const { store, scope } = await openStoreContext(call.folder, call.env)
  return { store, scope, now: Date.now, unique: () => uniquePart(Date.now()), person: person() }
}

/** For who only looks or steers: without a store there is no build either, and none is made. */
export async function openExistingContext(call: Call): Promise<BuildContext> {
  if (!hasStore(call)) throw refuse('NO_BUILD', { where: 'here' })
  return openBuildContext(call)
}

export function hasStore(call: Call): boolean {
  return existsSync(findPlace(call.folder, call.env).storePath)
}

/** Whether Ralph ever worked here. */
export function hasState(call: Call): boolean {
  return existsSync(stateOf(call))
}

export function stateOf({ folder, env }: Call): string {
  return stateFolder(findRepository(folder, env))
}

/** The operator's checkout: where ralph.toml is, from whichever folder in it Ralph is called. */
export function checkoutOf({ folder, env }: Pick<Call, 'folder' | 'env'>): string {
  return checkoutRoot(folder, env)
}

/** The same, for programs that are to work there as the operator would. */
export function userPlace(call: Pick<Call, 'folder' | 'env'>): RepositoryPlace {
  return placeAt(call.folder, call.env)
}

/** How many tasks of this repository and branch are still to be settled. */
export async function unsettled({ store, scope }: BuildContext): Promise<number> {
  const { open, active, blocked } = await store.tasks.counts(scope)
  return open + active + blocked
}

/** Sorts by time, and two machines do not make the same. */
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
