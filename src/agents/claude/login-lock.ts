// Lets one process write a login at a time. It is the lock that Claude Code itself takes when it renews a login, a
// folder beside its own, so a `claude` that the user has open waits as well.
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf } from '../../system/errno.ts'

/** Claude Code's own limit: a holder touches the lock every 5 s. */
const STALE_MS = 10_000
/** A removed folder sends no event. A write takes milliseconds, a renewal a second. */
const LOOK_EVERY_MS = 50
const WAIT_MAX_MS = 15_000

/** Null: the lock stayed taken. */
export async function withLoginLock<T>(folder: string, use: () => Promise<T>): Promise<T | null> {
  const lock = `${folder}.lock`
  if (!(await isTaken(lock))) return null
  try {
    return await use()
  } finally {
    await rmdir(lock).catch(() => {})
  }
}

async function isTaken(lock: string): Promise<boolean> {
  const endsAt = performance.now() + WAIT_MAX_MS
  while (performance.now() < endsAt) {
    try {
      await mkdir(lock)
      return true
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') return false
    }
    const held = await stat(lock).catch(() => null)
    if (held !== null && Date.now() - held.mtimeMs > STALE_MS) await rmdir(lock).catch(() => {})
    else await sleep(LOOK_EVERY_MS)
  }
  return false
}
