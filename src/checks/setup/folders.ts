// Files that are whole or not there, and folders that go whatever was done to them.
import { randomBytes } from 'node:crypto'
import { closeSync, fsync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errnoOf } from '../../system/errno.ts'

/**
 * Written beside, then put in place: readers see the old text or the new one. `lasting`: also after a power cut, which is
 * not for what is looked over before it is believed.
 */
export async function writeWhole(path: string, text: string, how: 'lasting' | 'passing' = 'lasting'): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const beside = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`)
  const file = openSync(beside, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    if (how === 'lasting') await flush(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
}

const flush = promisify(fsync)

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}

/** Whether anything is there; a link that leads nowhere is something. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

/** A folder itself, and all on the way to it below `root`; a link might lead anywhere. */
export async function isRealFolder(root: string, relative: string): Promise<boolean> {
  let path = root
  for (const part of relative.split('/').filter((name) => name !== '' && name !== '.')) {
    path = join(path, part)
    try {
      if (part === '..' || !(await lstat(path)).isDirectory()) return false
    } catch {
      return false
    }
  }
  return true
}

/** Also what was made unwritable, as Go does with its modules. Links are removed, never followed. */
export async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error))) throw error
    await makeWritable(path)
    await rm(path, { recursive: true, force: true })
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
}
