// Opens the file after checking that it is Ralph's: the database of another program stays untouched.
import { DatabaseSync } from 'node:sqlite'
import { refuse } from '../../../core/error/error.ts'

/** 'RLPH': identifies Ralph's databases. */
export const APPLICATION_ID = 0x52_4c_50_48

export function openDatabaseFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    requireOurs(database, path)
    // FULL: an acknowledged write survives a power cut, not only a crash.
    database.exec('PRAGMA synchronous = FULL')
    const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
    if (mode !== 'wal') throw refuse('STORE_UNREADABLE', { path, reason: 'processes cannot share a database there' })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** In one transaction: another process may be creating the tables at this moment. */
function requireOurs(database: DatabaseSync, path: string): void {
  database.exec('BEGIN')
  const id = database.prepare('PRAGMA application_id').get()?.['application_id']
  const isOurs = id === APPLICATION_ID || database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  database.exec('COMMIT')
  if (!isOurs) throw refuse('STORE_CORRUPT', { path, reason: 'it belongs to another program' })
}
