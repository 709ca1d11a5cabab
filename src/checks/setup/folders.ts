// Questions about files and folders that an agent or a setup command may have replaced.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether anything is there, a dangling link included. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

/** A real folder, with real folders on the way to it below `root`; a link could lead anywhere. */
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
