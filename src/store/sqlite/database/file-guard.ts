// Accidents that happen to the database under a running process and that SQLite does not report: somebody moves or
// deletes it, and every further write is lost; somebody deletes only its -wal file, which corrupts it; a newer program
// upgrades it.
import { statSync } from 'node:fs'
import { refuse } from '../../../core/error/error.ts'
import type { Connection } from './connection.ts'
import { requireKnownSchema } from './schema.ts'

/**
 * A check costs 12 µs, which matters only to a process that writes more often than this; it still notices soon enough.
 */
const LOOK_EVERY_MS = 100

/** The same connection, but it refuses to write once the database file has changed. */
export function guardFile(connection: Connection): Connection {
  const { path } = connection
  let known: string | null = null
  let lookedAt = -Infinity
  const look = (): void => {
    // Not `performance`, which Node loads at the first use: that would cost every command 2 ms.
    const now = Number(process.hrtime.bigint()) / 1e6
    if (now - lookedAt < LOOK_EVERY_MS) return
    const found = `${identity(path)} ${identity(`${path}-wal`)}`
    known ??= found
    if (found !== known)
      throw refuse('STORE_CORRUPT', { path, reason: 'it, or its -wal file, was moved or deleted while in use' })
    requireKnownSchema(connection)
    lookedAt = now
  }
  return {
    ...connection,
    write: (work) =>
      connection.write(() => {
        look()
        return work()
      }),
  }
}

function identity(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? 'gone' : `${stats.dev}:${stats.ino}`
}
