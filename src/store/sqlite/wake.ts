// Tells other processes that something changed, without polling: writers touch a file, waiters watch it. Where the watch
// says nothing (some network file systems), SQLite's own change counter is asked once a second.
import { closeSync, openSync, watch, writeSync } from 'node:fs'
import type { Connection } from './connection.ts'

const FALLBACK_MS = 1_000

export interface Wake {
  /** Called after every write. */
  readonly ring: () => void
  readonly close: () => void
}

export function wakeFile(databasePath: string): string {
  return `${databasePath}-wake`
}

export function openWake(databasePath: string): Wake {
  let fd: number | null = null
  return {
    ring: () => {
      // A bell that cannot ring is no reason to fail a write that is durable already: waiters have their fallback.
      try {
        fd ??= openSync(wakeFile(databasePath), 'w', 0o600)
        writeSync(fd, '.', 0)
      } catch {
        fd = null
      }
    },
    close: () => {
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}

export async function* changes(db: Connection, signal: AbortSignal): AsyncGenerator<void> {
  let rung = false
  let wakeUp = (): void => {}
  const ring = (): void => {
    rung = true
    wakeUp()
  }
  const version = (): number => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
  let seen = version()
  const ticker = setInterval(() => {
    const now = version()
    if (now !== seen) ring()
    seen = now
  }, FALLBACK_MS)
  const watcher = watchQuietly(wakeFile(db.path), ring)
  signal.addEventListener('abort', ring)
  try {
    while (!signal.aborted) {
      if (!rung) await new Promise<void>((resolve) => (wakeUp = resolve))
      rung = false
      if (!signal.aborted) yield
    }
  } finally {
    clearInterval(ticker)
    watcher?.close()
    signal.removeEventListener('abort', ring)
  }
}

function watchQuietly(path: string, ring: () => void): { close: () => void } | null {
  try {
    closeSync(openSync(path, 'a', 0o600))
    return watch(path, ring).on('error', () => {})
  } catch {
    return null
  }
}
