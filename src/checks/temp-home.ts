// A home and a temporary folder for one run of a check, new each time: nothing that was done to those of another run, also
// by a process that outlived it, reaches this one.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAll } from '../system/remove-all.ts'

export interface TempHome {
  readonly root: string
  readonly temporary: string
  readonly home: string
}

/** Removed when the work is done, whatever was left there. */
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
