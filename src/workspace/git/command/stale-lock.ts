// A lock file that a killed git left behind. A living git holds a lock in our repository for some milliseconds, so a
// file that is still the same after git has waited for it twice belongs to nobody.
import { link, lstat, rename, rm } from 'node:fs/promises'
import { draftPath } from '../../../system/files.ts'

export interface LockSeen {
  readonly path: string
  readonly inode: bigint
  readonly changedAt: bigint
}

export async function seeLock(path: string): Promise<LockSeen | null> {
  try {
    const { ino, ctimeNs } = await lstat(path, { bigint: true })
    return { path, inode: ino, changedAt: ctimeNs }
  } catch {
    return null
  }
}

export function isSameLock(one: LockSeen, other: LockSeen): boolean {
  return one.path === other.path && one.inode === other.inode && one.changedAt === other.changedAt
}

/** Renames the lock first and compares it: if another process took it just now, that process gets it back. */
export async function breakLock(lock: LockSeen): Promise<void> {
  const aside = draftPath(lock.path)
  try {
    await rename(lock.path, aside)
  } catch {
    return
  }
  const taken = await seeLock(aside)
  if (taken !== null && taken.inode !== lock.inode) await link(aside, lock.path).catch(() => {})
  await rm(aside, { force: true })
}
