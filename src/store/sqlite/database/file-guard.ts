// What may happen to the database under a running process without SQLite saying a word: it is moved or deleted, and every
// further write goes with it into nowhere; its log alone is deleted, which tears it in two; a newer program takes it over.
import { statSync } from 'node:fs'
import { refuse } from '../../../core/error/error.ts'
import type { Connection } from './connection.ts'
import { requireKnownSchema } from './schema.ts'

/** Looking costs 12 µs. That matters only to who writes more often than this, and who does meets the end soon enough. */
const LOOK_EVERY_MS = 100

/** The same connection, but it writes nothing any more once the database is not what it was. */
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
