// Locks on our own refs in the user's repository, left by a git that was killed while it mirrored. Nobody else writes
// these refs, and no git holds one for a second; we leave all other locks alone.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { BuildId } from '../../../core/values/id.ts'
import { NOTES_REF, PINS, branchRef, encodeId } from './layout.ts'
import { breakLock, isSameLock, seeLock } from '../command/stale-lock.ts'
import type { UserRepository } from './user-repository.ts'

const HELD_MAX_MS = 1_000

/** Whether there were any. */
export async function breakOurLocks({ commonDir }: UserRepository, build: BuildId): Promise<boolean> {
  const before = await locksIn(commonDir, build)
  if (before.length === 0) return false
  await setTimeout(HELD_MAX_MS)
  for (const lock of before) {
    const now = await seeLock(lock.path)
    if (now !== null && isSameLock(now, lock)) await breakLock(now)
  }
  return true
}

async function locksIn(commonDir: string, build: BuildId) {
  const pins = join(commonDir, PINS, encodeId(build))
  const names = await readdir(pins, { recursive: true }).catch((): string[] => [])
  const paths = [
    join(commonDir, `${branchRef(build)}.lock`),
    join(commonDir, `${NOTES_REF}.lock`),
    ...names.filter((name) => name.endsWith('.lock')).map((name) => join(pins, name)),
  ]
  return (await Promise.all(paths.map(seeLock))).filter((lock) => lock !== null)
}
