// A home and a temporary folder for one run of a check. Most checks leave nothing there: then the next one gets them as
// well, which spares making and removing three folders each time.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { geteuid } from 'node:process'
import { removeAll } from './folders.ts'

export interface Nook {
  readonly root: string
  readonly temporary: string
  readonly home: string
}

/** As many checks as run at once in one process, mostly. */
const SPARE_MAX = 4
const RIGHTS = 0o700

const spare: Nook[] = []

export function takeNook(): Nook {
  for (let nook = spare.pop(); nook !== undefined; nook = spare.pop()) {
    // Looked at again: whoever outlived its check knows the name.
    if (dirname(nook.root) === tmpdir() && isAsMade(nook)) return nook
    void removeAll(nook.root).catch(() => {})
  }
  const root = mkdtempSync(join(tmpdir(), 'ralph-check-'))
  const nook = { root, temporary: join(root, 'tmp'), home: join(root, 'home') }
  for (const folder of [nook.temporary, nook.home]) mkdirSync(folder, { mode: RIGHTS })
  return nook
}

export async function giveBackNook(nook: Nook): Promise<void> {
  if (spare.length >= SPARE_MAX || !isAsMade(nook)) return removeAll(nook.root)
  if (!isRemovedAtExit) process.once('exit', removeSpare)
  isRemovedAtExit = true
  spare.push(nook)
}

let isRemovedAtExit = false

function removeSpare(): void {
  for (const { root } of spare.splice(0)) rmSync(root, { recursive: true, force: true })
}

/** Nothing in it but two empty folders, with the rights that they were made with. */
function isAsMade({ root, temporary, home }: Nook): boolean {
  try {
    const isOurs = [root, temporary, home].every((folder) => {
      const stats = lstatSync(folder)
      return stats.isDirectory() && stats.uid === geteuid?.() && (stats.mode & 0o7777) === RIGHTS
    })
    return isOurs && readdirSync(root).length === 2 && [temporary, home].every((one) => readdirSync(one).length === 0)
  } catch {
    return false
  }
}
