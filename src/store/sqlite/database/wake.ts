// The wake file: a process that changed something writes to a file next to the database, and waiting processes watch
// it.
import { closeSync, openSync, watch, writeSync } from 'node:fs'

export interface Listener {
  /** This process changed something. */
  readonly heard: () => void
  /** There will be no further changes. */
  readonly ended: () => void
}

export interface Wake {
  /** Called after every change. */
  readonly ring: () => void
  readonly listeners: Set<Listener>
  readonly close: () => void
}

export function wakeFile(databasePath: string): string {
  return `${databasePath}-wake`
}

export function openWake(databasePath: string): Wake {
  let fd: number | null = null
  const listeners = new Set<Listener>()
  return {
    listeners,
    ring: () => {
      for (const listener of listeners) listener.heard()
      // A failure here must not fail a write that is durable already: the waiters have their timer.
      try {
        fd ??= openSync(wakeFile(databasePath), 'w', 0o600)
        writeSync(fd, '.', 0)
      } catch {}
    },
    close: () => {
      for (const listener of [...listeners]) listener.ended()
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}

/** Null where files cannot be watched. */
export function watchWake(databasePath: string, heard: () => void): { close: () => void } | null {
  try {
    closeSync(openSync(wakeFile(databasePath), 'a', 0o600))
    return watch(wakeFile(databasePath), heard).on('error', () => {})
  } catch {
    return null
  }
}
