// One connection to the database file. Every transaction is BEGIN IMMEDIATE: a deferred one that reads and then writes
// fails with SQLITE_BUSY however long it would wait.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { refuse } from '../../core/error.ts'
import type { Instant } from '../../core/id.ts'
import { isBusy, ourError } from './sqlite-error.ts'

export type Sql = null | number | string

export interface Connection {
  readonly path: string
  readonly now: () => Instant
  /** The rows of a query. */
  all<Row>(sql: string, ...values: Sql[]): Row[]
  /** The first row of a query. */
  get<Row>(sql: string, ...values: Sql[]): Row | undefined
  run(sql: string, ...values: Sql[]): void
  exec(sql: string): void
  /** Runs synchronous reads on one consistent state. */
  read<T>(work: () => T): Promise<T>
  /** Runs synchronous work in one durable transaction: all of it or nothing. */
  write<T>(work: () => T): Promise<T>
  close(): void
}

/** How long a locked database is waited for. */
const BUSY_LIMIT_MS = 30_000

export async function connect(path: string, now: () => Instant, afterWrite: () => void): Promise<Connection> {
  const database = await patiently(path, () => openFile(path))
  const statements = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    let prepared = statements.get(sql)
    if (prepared === undefined) statements.set(sql, (prepared = database.prepare(sql)))
    return prepared
  }
  return {
    path,
    now,
    all: <Row>(sql: string, ...values: Sql[]) => statement(sql).all(...values) as Row[],
    get: <Row>(sql: string, ...values: Sql[]) => statement(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => void statement(sql).run(...values),
    exec: (sql) => database.exec(sql),
    read: (work) => patiently(path, () => within(database, 'BEGIN', work)),
    write: async (work) => {
      const result = await patiently(path, () => within(database, 'BEGIN IMMEDIATE', work))
      afterWrite()
      return result
    },
    close: () => database.close(),
  }
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // FULL: a write that was acknowledged survives a power cut, not only a crash.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function within<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk or an I/O error has rolled the transaction back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Waits for a locked database, the event loop staying free. SQLite's own waiting sleeps longer the longer it has waited,
 * which starves the one that came first; here the pauses get shorter with the time waited.
 */
async function patiently<T>(path: string, work: () => T): Promise<T> {
  for (let waitedMs = 0; ;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw ourError(error, path)
    }
    if (waitedMs > BUSY_LIMIT_MS) throw refuse('STORE_BUSY', { path, seconds: BUSY_LIMIT_MS / 1000 })
    const pauseMs = Math.max(1, 12 - waitedMs / 50) * (0.5 + Math.random())
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    waitedMs += pauseMs
  }
}
