// Waiting for a locked database. SQLite's own wait sleeps longer the longer it has waited, which starves the first
// waiter, and blocks the event loop; here the pauses get shorter with the time waited, and the event loop stays free.
import { refuse } from '../../../core/error/error.ts'
import { isBusy, ourError } from './sqlite-error.ts'

const PAUSE_FIRST_MS = 12
const PAUSE_LAST_MS = 1

/** Repeats the work while the database is locked, for at most `limitMs`. */
export async function patiently<T>(path: string, limitMs: number, work: () => T): Promise<T> {
  let since: number | null = null
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw ourError(error, path)
    }
    // Only here: Node loads its clock at the first use, which would cost every command 2 ms.
    since ??= performance.now()
    const waited = performance.now() - since
    if (waited > limitMs) throw refuse('STORE_BUSY', { path, seconds: limitMs / 1000 })
    const pauseMs = Math.max(PAUSE_LAST_MS, PAUSE_FIRST_MS - waited / 50) * (0.5 + Math.random())
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
