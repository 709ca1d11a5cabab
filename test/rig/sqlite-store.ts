// A store in a new folder; the end of the test removes both.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

export interface MadeStore {
  readonly folder: string
  readonly store: Store
}

export async function madeStore(now: () => number = Date.now): Promise<MadeStore> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph store '))
  const store = await openSqliteStore(join(folder, 'ralph.db'), now)
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, store }
}
