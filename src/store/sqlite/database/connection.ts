// One connection to the database file. Every transaction that writes is BEGIN IMMEDIATE: a deferred one that reads and
// then writes fails with SQLITE_BUSY however long it would wait.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../core/values/id.ts'
import { openDatabaseFile } from './database-file.ts'
import { patiently } from './busy-wait.ts'

export type Sql = null | number | string

export interface Connection {
  readonly path: string
  readonly now: () => Instant
  /** The keys of the scopes that were read: nearly every query needs one, and the key of a scope never changes. */
  readonly scopeKeys: WeakMap<object, number>
  /** The rows of a query, as values in the order of its columns: a third of the time that objects take. */
  rows(sql: string, ...values: Sql[]): Sql[][]
  /** The rows of a query. */
  all<Row>(sql: string, ...values: Sql[]): Row[]
  /** The first row of a query. */
  get<Row>(sql: string, ...values: Sql[]): Row | undefined
  run(sql: string, ...values: Sql[]): void
  exec(sql: string): void
  /** Runs synchronous reads on one consistent state. */
  read<T>(work: () => T): Promise<T>
  /** The same for a single query, which needs no transaction around it. */
  readOne<T>(work: () => T): Promise<T>
  /** Runs synchronous work in one durable transaction: all of it or nothing. */
  write<T>(work: () => T): Promise<T>
  close(): void
}

export interface ConnectionSettings {
  readonly now: () => Instant
  /** How long to wait for a locked database. */
  readonly busyLimitMs: number
  /** Called after every transaction that changed something. */
  readonly afterChange: () => void
}

export async function connect(path: string, settings: ConnectionSettings): Promise<Connection> {
  const { now, busyLimitMs, afterChange } = settings
  const database = await patiently(path, busyLimitMs, () => openDatabaseFile(path))
  const statement = preparer((sql) => database.prepare(sql))
  const listing = preparer((sql) => {
    const prepared = database.prepare(sql)
    prepared.setReturnArrays(true)
    return prepared
  })
  let changed = false
  const writing = <T>(work: () => T): T => {
    changed = false
    const result = inTransaction(database, statement('BEGIN IMMEDIATE'), statement('COMMIT'), work)
    if (changed) afterChange()
    return result
  }
  return {
    path,
    now,
    scopeKeys: new WeakMap(),
    rows: (sql, ...values) => listing(sql).all(...values) as unknown as Sql[][],
    all: <Row>(sql: string, ...values: Sql[]) => statement(sql).all(...values) as Row[],
    get: <Row>(sql: string, ...values: Sql[]) => statement(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => {
      if (statement(sql).run(...values).changes !== 0) changed = true
    },
    exec: (sql) => {
      changed = true
      database.exec(sql)
    },
    read: (work) =>
      patiently(path, busyLimitMs, () => inTransaction(database, statement('BEGIN'), statement('COMMIT'), work)),
    readOne: (work) => patiently(path, busyLimitMs, work),
    write: (work) => patiently(path, busyLimitMs, () => writing(work)),
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Each statement is prepared once. */
function preparer(prepare: (sql: string) => StatementSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let prepared = statements.get(sql)
    if (prepared === undefined) statements.set(sql, (prepared = prepare(sql)))
    return prepared
  }
}

function inTransaction<T>(database: DatabaseSync, begin: StatementSync, commit: StatementSync, work: () => T): T {
  begin.run()
  try {
    const result = work()
    commit.run()
    return result
  } catch (error) {
    // A full disk or an I/O error has rolled the transaction back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
