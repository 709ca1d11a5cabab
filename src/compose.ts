// The only file that opens rooms. The SQLite store is what nearly every command needs; the others are loaded on demand.
import { findPlace } from './config/place.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import type { Scope, Store } from './store/store.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Desk {
  readonly store: Store
  readonly scope: Scope
}

/** The task store of the repository that `folder` is in. */
export async function openDesk(folder: string, env: Environment): Promise<Desk> {
  const { storePath, scope } = findPlace(folder, env)
  return { store: await openSqliteStore(storePath, Date.now), scope }
}
