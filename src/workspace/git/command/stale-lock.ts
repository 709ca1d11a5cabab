// A lock file that a killed git left behind. Nobody holds a lock in our repository for longer than some milliseconds, so
// the very same file, still there after git has waited for it twice, is nobody's.
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

/** Taken aside first and looked at: if another took the lock just now, it gets it back. */
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
