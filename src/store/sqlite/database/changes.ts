// Waiting for a change without polling. The wake file only says when to look; SQLite's own counter of the commits of
// other connections decides, so no change is reported twice. Where the file cannot be watched (some network file
// systems), a timer checks the counter once a second.
import type { Connection } from './connection.ts'
import { type Wake, watchWake } from './wake.ts'

const FALLBACK_MS = 1_000

/** Listens from this call on, not only from the first `next()`: it reports the changes in between as well. */
export function changes(
  db: Connection,
  wake: Wake,
  signal: AbortSignal,
  fallbackMs: number = FALLBACK_MS,
): AsyncGenerator<void> {
  const news = latch()
  const look = lookout(db, news.raise)
  const watcher = watchWake(db.path, look)
  const ticker = setInterval(look, fallbackMs)
  const listener = { heard: news.raise, ended: stop }
  wake.listeners.add(listener)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return told()

  function stop(): void {
    clearInterval(ticker)
    watcher?.close()
    wake.listeners.delete(listener)
    signal.removeEventListener('abort', stop)
    news.end()
  }

  async function* told(): AsyncGenerator<void> {
    try {
      while (await news.raised()) yield
    } finally {
      stop()
    }
  }
}

function lookout(db: Connection, changed: () => void): () => void {
  let seen = versionOf(db)
  return () => {
    const version = versionOf(db)
    if (version === null || version !== seen) changed()
    seen = version
  }
}

/** Null where the counter cannot be read: the waiter then reads the store and meets the error itself. */
function versionOf(db: Connection): number | null {
  try {
    return db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? null
  } catch {
    return null
  }
}

interface Latch {
  readonly raise: () => void
  readonly end: () => void
  /** Waits until it is raised, and lowers it; false once it has ended. */
  readonly raised: () => Promise<boolean>
}

function latch(): Latch {
  let state: 'lowered' | 'raised' | 'ended' = 'lowered'
  let resume = (): void => {}
  const become = (next: typeof state): void => {
    if (state !== 'ended') state = next
    resume()
  }
  return {
    raise: () => become('raised'),
    end: () => become('ended'),
    raised: async () => {
      if (state === 'lowered') await new Promise<void>((resolve) => (resume = resolve))
      if (state === 'ended') return false
      state = 'lowered'
      return true
    },
  }
}
