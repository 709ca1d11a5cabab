import type { GitContext } from '../repository/git-context.ts'
import type { HeldFolder } from '../agent-folder/folder-owners.ts'
import type { Pool } from '../agent-folder/folder-place.ts'
import { rescueUnharvested } from './rescue-unharvested.ts'

/** Gives a folder back to the pool and pins unharvested work first. */
export async function giveBackFolder(context: GitContext, pool: Pool, held: HeldFolder): Promise<void> {
  await rescueUnharvested(context, held)
  pool.giveBack(held.slot)
}
