// Upgrades a database to this program's schema. The file itself records its version.
import { refuse } from '../../../core/error/error.ts'
import type { Connection } from './connection.ts'
import { APPLICATION_ID } from './database-file.ts'

export const SCHEMA_VERSION = 9

/** Only an older database pays for loading the migrations. */
export async function upgrade(connection: Connection): Promise<void> {
  if ((await connection.read(() => requireKnownSchema(connection))) === SCHEMA_VERSION) return
  const { migrations } = await import('./migrations.ts')
  // The write lock is the migration lock: the second process finds the work done.
  await connection.write(() => {
    for (let version = requireKnownSchema(connection); version < SCHEMA_VERSION; version += 1) {
      connection.exec(migrations[version] ?? '')
      connection.exec(`PRAGMA user_version = ${version + 1}`)
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  })
}

/** The schema version of the database; refuses one that only a newer program knows. */
export function requireKnownSchema(connection: Connection): number {
  const found = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  if (found > SCHEMA_VERSION) throw refuse('STORE_NEWER', { path: connection.path, found, known: SCHEMA_VERSION })
  return found
}
