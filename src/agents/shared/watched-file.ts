// Watches a file that two programs may write, and handles one change at a time.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Calls wait for each other; those that come while one waits are one. Never rejects: what failed is tried at the end. */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(async () => {
      next = null
      await work().catch(() => {})
    })
    running = next
    return next
  }
}

/** Of the folder, as a file that is replaced is another file. Null: the system cannot; then the end of the session does. */
export function watchFile(path: string, changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === basename(path)) changed()
    })
    return watcher.on('error', () => {})
  } catch {
    return null
  }
}
