// Maps tasks to rows and back.
import { refuse } from '../../../core/error/error.ts'
import type { AgentId, BuildId, TaskId } from '../../../core/values/id.ts'
import type { TaskClaim } from '../../../core/task/claim.ts'
import type { Holder, ReportedDone, Task, TaskResult, TaskStatus, TaskType } from '../../../core/task/task.ts'
import type { Scope } from '../../store.ts'
import type { Connection, Sql } from '../database/connection.ts'

export interface TaskRow {
  readonly key: number
  readonly position: number
  readonly task: Task
}

type Field = Exclude<keyof Task, 'deps'>

/** The column of each field; dependencies have a table of their own. */
const columns: Readonly<Record<Field, string>> = {
  id: 'id',
  title: 'title',
  description: 'description',
  priority: 'priority',
  category: 'category',
  spec: 'spec',
  ref: 'ref',
  steps: 'steps',
  type: 'type',
  acceptance: 'acceptance',
  filesExpected: 'files_expected',
  fixedClaim: 'fixed_claim',
  status: 'status',
  build: 'build',
  assignee: 'assignee',
  leaseExpiresAt: 'lease_expires_at',
  heldBy: 'held_by',
  reportedDone: 'said_done',
  fence: 'fence',
  retryCount: 'retry_count',
  failReason: 'fail_reason',
  result: 'result',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
}
const fields = Object.keys(columns) as Field[]
const before = ['key', 'position', 'deps'] as const
/** The index of each value in a row of `taskQuery`. */
const at = Object.fromEntries([...before, ...fields].map((name, index) => [name, index])) as Readonly<
  Record<(typeof before)[number] | Field, number>
>

/** A query for `selectTasks`; `rest` follows FROM tasks t. */
export function taskQuery(rest: string): string {
  return `SELECT t.key, t.position, (
      SELECT json_group_array(b.id ORDER BY d.position)
      FROM dependencies d JOIN tasks b ON b.key = d.blocker WHERE d.task = t.key
    ), ${fields.map((field) => `t.${columns[field]}`).join(', ')}
    FROM tasks t ${rest}`
}

export function selectTasks(db: Connection, query: string, ...values: Sql[]): TaskRow[] {
  return db.rows(query, ...values).map(fromRow)
}

/** One literal: an object that is built field by field takes ten times as long to copy, and rules copy. */
function fromRow(row: readonly Sql[]): TaskRow {
  const task: Task = {
    id: row[at.id] as TaskId,
    title: row[at.title] as string,
    description: row[at.description] as string | null,
    priority: row[at.priority] as number,
    category: row[at.category] as string | null,
    spec: row[at.spec] as string | null,
    ref: row[at.ref] as string | null,
    steps: list(row[at.steps]),
    type: row[at.type] as TaskType | null,
    acceptance: list(row[at.acceptance]),
    filesExpected: list(row[at.filesExpected]),
    deps: list(row[at.deps]) as TaskId[],
    fixedClaim: row[at.fixedClaim] === null ? null : (JSON.parse(row[at.fixedClaim] as string) as TaskClaim),
    status: row[at.status] as TaskStatus,
    build: row[at.build] as BuildId | null,
    assignee: row[at.assignee] as AgentId | null,
    leaseExpiresAt: row[at.leaseExpiresAt] as number | null,
    heldBy: row[at.heldBy] as Holder | null,
    reportedDone: row[at.reportedDone] === null ? null : (JSON.parse(row[at.reportedDone] as string) as ReportedDone),
    fence: row[at.fence] as number,
    retryCount: row[at.retryCount] as number,
    failReason: row[at.failReason] as string | null,
    result: row[at.result] === null ? null : (JSON.parse(row[at.result] as string) as TaskResult),
    createdAt: row[at.createdAt] as number,
    updatedAt: row[at.updatedAt] as number,
  }
  return { key: row[at.key] as number, position: row[at.position] as number, task }
}

/** Most lists are empty. */
function list(json: Sql | undefined): string[] {
  return json === '[]' ? [] : (JSON.parse(json as string) as string[])
}

/** Lists and objects as JSON. */
function toSql(field: Field, task: Task): Sql {
  const value = task[field]
  // SQLite would store a lease beyond the year 285,000, and node:sqlite would refuse to read the row.
  if (field === 'leaseExpiresAt' && !Number.isSafeInteger(value ?? 0)) throw refuse('LEASE_BAD')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const BY_ID = taskQuery('WHERE t.scope = ? AND t.id = ?')
const OF_SCOPE = taskQuery('WHERE t.scope = ?')

export function findTask(db: Connection, scope: number, id: TaskId): TaskRow | null {
  return selectTasks(db, BY_ID, scope, id)[0] ?? null
}

export function requireTask(db: Connection, scope: number, id: TaskId): TaskRow {
  const row = findTask(db, scope, id)
  if (row === null) throw refuse('TASK_NOT_FOUND', { id })
  return row
}

export function allTasks(db: Connection, scope: number): Task[] {
  return selectTasks(db, OF_SCOPE, scope).map((row) => row.task)
}

/** The key of the scope for reading: 0, which no row has, where the scope was never written. */
export function scopeKey(db: Connection, scope: Scope): number {
  const known = db.scopeKeys.get(scope)
  if (known !== undefined) return known
  const key = keyOf(db, scope)
  if (key !== 0) db.scopeKeys.set(scope, key)
  return key
}

/** Does not remember the key: the transaction that adds the scope may still be rolled back. */
export function ensureScope(db: Connection, scope: Scope): number {
  db.run('INSERT INTO scopes (repo, branch) VALUES (?, ?) ON CONFLICT DO NOTHING', scope.repo, scope.branch)
  return keyOf(db, scope)
}

function keyOf(db: Connection, { repo, branch }: Scope): number {
  return db.get<{ key: number }>('SELECT key FROM scopes WHERE repo = ? AND branch = ?', repo, branch)?.key ?? 0
}

const marks: readonly string[] = ['?', '?', ...fields.map(() => '?')]
const INSERT = `INSERT INTO tasks (scope, position, ${Object.values(columns).join(', ')}) VALUES (${marks.join(', ')})`

/** Adds a task without its dependencies: some of those tasks may not be added yet. */
export function insertTask(db: Connection, scope: number, task: Task, position: number): void {
  db.run(INSERT, scope, position, ...fields.map((field) => toSql(field, task)))
}

/** Writes only the changed columns: setting a column to its old value still rewrites its indexes. */
export function updateTask(db: Connection, row: TaskRow, task: Task): void {
  const changed = fields.filter((field) => task[field] !== row.task[field])
  if (changed.length === 0) return
  const sets = changed.map((field) => `${columns[field]} = ?`).join(', ')
  db.run(`UPDATE tasks SET ${sets} WHERE key = ?`, ...changed.map((field) => toSql(field, task)), row.key)
}

/** Replaces the stored dependencies with those of the task; all of them must exist. */
export function replaceDependencies(db: Connection, scope: number, task: Task): void {
  const { key } = requireTask(db, scope, task.id)
  db.run('DELETE FROM dependencies WHERE task = ?', key)
  for (const [position, id] of task.deps.entries()) {
    db.run(
      'INSERT INTO dependencies (task, blocker, position) VALUES (?, ?, ?)',
      key,
      requireTask(db, scope, id).key,
      position,
    )
  }
}

/** The position after the last task of the scope. */
export function nextPosition(db: Connection, scope: number): number {
  const last = db.get<{ last: number | null }>('SELECT max(position) AS last FROM tasks WHERE scope = ?', scope)?.last
  return Math.floor(last ?? 0) + 1
}
