// Brings a database to this program's schema. The file says by itself whose it is and how new.
import { refuse } from '../../core/error.ts'
import { type Connection } from './connection.ts'

/** 'RLPH': tells our database from anybody else's. */
export const APPLICATION_ID = 0x52_4c_50_48
export const SCHEMA_VERSION = 1

/** Only a database that lags behind pays for loading the migrations. */
export async function upgrade(connection: Connection): Promise<void> {
  if ((await schemaVersion(connection)) === SCHEMA_VERSION) return
  const { migrations } = await import('./migrations.ts')
  // The write lock is the migration lock: whoever comes second finds the work done.
  await connection.write(() => {
    for (let version = versionNow(connection); version < SCHEMA_VERSION; version += 1) {
      connection.exec(migrations[version] ?? '')
      connection.exec(`PRAGMA user_version = ${version + 1}`)
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  })
}

async function schemaVersion(connection: Connection): Promise<number> {
  const { path } = connection
  const found = await connection.read(() => ({ version: versionNow(connection), isOurs: isOurs(connection) }))
  if (!found.isOurs) throw refuse('STORE_CORRUPT', { path, reason: 'it belongs to another program' })
  if (found.version > SCHEMA_VERSION) throw refuse('STORE_NEWER', { path, found: found.version, known: SCHEMA_VERSION })
  return found.version
}

function versionNow(connection: Connection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

function isOurs(connection: Connection): boolean {
  const id = connection.get<{ application_id: number }>('PRAGMA application_id')?.application_id
  if (id === APPLICATION_ID) return true
  return connection.get('SELECT 1 FROM sqlite_schema') === undefined
}
