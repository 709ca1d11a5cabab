// Brings a database to this program's schema. The file says by itself how new it is.
import { refuse } from '../../core/error.ts'
import type { Connection } from './connection.ts'
import { APPLICATION_ID } from './database-file.ts'

export const SCHEMA_VERSION = 1

/** Only a database that lags behind pays for loading the migrations. */
export async function upgrade(connection: Connection): Promise<void> {
  if ((await connection.read(() => knownVersion(connection))) === SCHEMA_VERSION) return
  const { migrations } = await import('./migrations.ts')
  // The write lock is the migration lock: whoever comes second finds the work done.
  await connection.write(() => {
    for (let version = knownVersion(connection); version < SCHEMA_VERSION; version += 1) {
      connection.exec(migrations[version] ?? '')
      connection.exec(`PRAGMA user_version = ${version + 1}`)
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  })
}

/** The same connection, but it writes nothing any more once a newer program has taken the database over. */
export function guarded(connection: Connection): Connection {
  return {
    ...connection,
    write: (work) =>
      connection.write(() => {
        knownVersion(connection)
        return work()
      }),
  }
}

/** The schema the database is at; refuses one that only a newer program knows. */
function knownVersion(connection: Connection): number {
  const found = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  if (found > SCHEMA_VERSION) throw refuse('STORE_NEWER', { path: connection.path, found, known: SCHEMA_VERSION })
  return found
}
