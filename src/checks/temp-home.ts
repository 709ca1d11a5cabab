// A new home and temporary folder for each run of a check: nothing in those of another run reaches this one, not even
// from a process that outlived it.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAll } from '../system/remove-all.ts'

export interface TempHome {
  readonly root: string
  readonly temporary: string
  readonly home: string
}

/** Removed when the work is done, whatever is in it. */
export async function withTempHome<T>(work: (tempHome: TempHome) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-check-'))
  const tempHome = { root, temporary: join(root, 'tmp'), home: join(root, 'home') }
  try {
    for (const folder of [tempHome.temporary, tempHome.home]) mkdirSync(folder, { mode: 0o700 })
    return await work(tempHome)
  } finally {
    await removeAll(root)
  }
}
