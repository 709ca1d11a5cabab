import type { Ground } from './ground.ts'
import type { Held } from './holdings.ts'
import type { Pool } from './pool.ts'
import { salvage } from './salvage.ts'

/** A folder goes back to the pool; what in it was not harvested is pinned first. */
export async function giveBackFolder(ground: Ground, pool: Pool, held: Held): Promise<void> {
  await salvage(ground, held)
  pool.giveBack(held.slot)
}
