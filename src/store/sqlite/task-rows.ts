// Tasks as rows, and back.
import { refuse } from '../../core/error.ts'
import type { TaskId } from '../../core/id.ts'
import type { Task } from '../../core/task.ts'
import type { Scope } from '../store.ts'
import type { Connection, Sql } from './connection.ts'

export interface TaskRow {
  readonly key: number
  readonly position: number
  readonly task: Task
}

type Field = Exclude<keyof Task, 'deps'>

/** The column each field is kept in; dependencies have a table of their own. */
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
  status: 'status',
  build: 'build',
  assignee: 'assignee',
  leaseExpiresAt: 'lease_expires_at',
  fence: 'fence',
  retryCount: 'retry_count',
  failReason: 'fail_reason',
  result: 'result',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
}
const fields = Object.keys(columns) as Field[]
const keptAsJson: ReadonlySet<Field> = new Set(['steps', 'acceptance', 'filesExpected', 'result'])

function toSql(field: Field, task: Task): Sql {
  const value = task[field]
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function fromSql(field: Field, value: Sql | undefined): unknown {
  return keptAsJson.has(field) && typeof value === 'string' ? parsed(value) : value
}

/** Most lists are empty. */
function parsed(json: string): unknown {
  return json === '[]' ? [] : JSON.parse(json)
}

/** A query for `selectTasks`; `rest` goes on after FROM tasks t. */
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

function fromRow(row: readonly Sql[]): TaskRow {
  const [key, position, deps] = row
  const task: Record<string, unknown> = { deps: parsed(deps as string) }
  for (const [index, field] of fields.entries()) task[field] = fromSql(field, row[3 + index])
  return { key: key as number, position: position as number, task: task as unknown as Task }
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

/** The scope's key, for reading: 0, which no row has, where nothing was ever written in it. */
export function scopeKey(db: Connection, scope: Scope): number {
  const found = db.get<{ key: number }>(
    'SELECT key FROM scopes WHERE repo = ? AND branch = ?',
    scope.repo,
    scope.branch,
  )
  return found?.key ?? 0
}

export function ensureScope(db: Connection, scope: Scope): number {
  db.run('INSERT INTO scopes (repo, branch) VALUES (?, ?) ON CONFLICT DO NOTHING', scope.repo, scope.branch)
  return scopeKey(db, scope)
}

const marks = ['?', '?', ...fields.map(() => '?')]
const INSERT = `INSERT INTO tasks (scope, position, ${Object.values(columns).join(', ')}) VALUES (${marks.join(', ')})`

/** Adds a task, without its dependencies: those may be tasks that are still to be added. */
export function insertTask(db: Connection, scope: number, task: Task, position: number): void {
  db.run(INSERT, scope, position, ...fields.map((field) => toSql(field, task)))
}

/** Writes what changed: a column that is set to its old value still costs its indexes a rewrite. */
export function updateTask(db: Connection, row: TaskRow, task: Task): void {
  const changed = fields.filter((field) => task[field] !== row.task[field])
  if (changed.length === 0) return
  const sets = changed.map((field) => `${columns[field]} = ?`).join(', ')
  db.run(`UPDATE tasks SET ${sets} WHERE key = ?`, ...changed.map((field) => toSql(field, task)), row.key)
}

/** Makes the stored dependencies those of the task; every one of them must exist. */
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

/** The place after the last task of the scope. */
export function nextPosition(db: Connection, scope: number): number {
  const last = db.get<{ last: number | null }>('SELECT max(position) AS last FROM tasks WHERE scope = ?', scope)?.last
  return Math.floor(last ?? 0) + 1
}
