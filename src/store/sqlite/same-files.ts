// A database that is moved or deleted under a running process takes every further write with it into nowhere, and a log
// that is deleted alone tears it in two. SQLite notices neither, so writes look whether the files are still the same.
import { statSync } from 'node:fs'
import { refuse } from '../../core/error.ts'

/** Looking costs 10 µs a write, which matters to a thousand writes a second and to nobody else. */
const EVERY_MS = 100

/** Refuses once the database or its log is not the file any more that it was on the first call. */
export function requireSameFiles(path: string): () => void {
  let known: string | null = null
  let lookedAt = -Infinity
  return () => {
    const now = performance.now()
    if (now - lookedAt < EVERY_MS) return
    const found = `${identity(path)} ${identity(`${path}-wal`)}`
    known ??= found
    if (found !== known)
      throw refuse('STORE_CORRUPT', { path, reason: 'it, or its -wal file, was moved or deleted while in use' })
    lookedAt = now
  }
}

function identity(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? 'gone' : `${stats.dev}:${stats.ino}`
}
