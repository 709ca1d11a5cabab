// Tasks as rows, and back.
import { refuse } from '../../core/error.ts'
import type { AgentId, BuildId, TaskId } from '../../core/id.ts'
import type { Task, TaskResult, TaskStatus, TaskType } from '../../core/task.ts'
import type { Scope } from '../store.ts'
import type { Connection, Sql } from './connection.ts'

export interface TaskRow {
  readonly key: number
  readonly position: number
  readonly task: Task
}

/** Every field of a task but its dependencies, which have a table of their own, and the column it is kept in. */
const fields = [
  ['id', 'id'],
  ['title', 'title'],
  ['description', 'description'],
  ['priority', 'priority'],
  ['category', 'category'],
  ['spec', 'spec'],
  ['ref', 'ref'],
  ['steps', 'steps'],
  ['type', 'type'],
  ['acceptance', 'acceptance'],
  ['filesExpected', 'files_expected'],
  ['status', 'status'],
  ['build', 'build'],
  ['assignee', 'assignee'],
  ['leaseExpiresAt', 'lease_expires_at'],
  ['fence', 'fence'],
  ['retryCount', 'retry_count'],
  ['failReason', 'fail_reason'],
  ['result', 'result'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
] as const satisfies readonly (readonly [keyof Task, string])[]

/** Lists and objects as JSON. */
function toSql(field: (typeof fields)[number][0], task: Task): Sql {
  const value = task[field]
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const columns = fields.map(([, column]) => `t.${column}`)
const dependencies = `(
  SELECT json_group_array(b.id ORDER BY d.position)
  FROM dependencies d JOIN tasks b ON b.key = d.blocker WHERE d.task = t.key
)`

/** A query for `selectTasks`; `rest` goes on after FROM tasks t. */
export function taskQuery(rest: string): string {
  return `SELECT t.key, t.position, ${dependencies}, ${columns.join(', ')} FROM tasks t ${rest}`
}

export function selectTasks(db: Connection, query: string, ...values: Sql[]): TaskRow[] {
  return db.rows(query, ...values).map(fromRow)
}

/** In the order of `taskQuery`. */
function fromRow(row: readonly Sql[]): TaskRow {
  const [key, position, deps, id, title, description, priority, category, spec, ref, steps, type, acceptance] = row
  const [filesExpected, status, build, assignee, leaseExpiresAt, fence, retryCount, failReason, result] = row.slice(13)
  const [createdAt, updatedAt] = row.slice(22)
  const task: Task = {
    id: id as TaskId,
    title: title as string,
    description: description as string | null,
    priority: priority as number,
    category: category as string | null,
    spec: spec as string | null,
    ref: ref as string | null,
    steps: list(steps),
    type: type as TaskType | null,
    acceptance: list(acceptance),
    filesExpected: list(filesExpected),
    deps: list(deps) as TaskId[],
    status: status as TaskStatus,
    build: build as BuildId | null,
    assignee: assignee as AgentId | null,
    leaseExpiresAt: leaseExpiresAt as number | null,
    fence: fence as number,
    retryCount: retryCount as number,
    failReason: failReason as string | null,
    result: typeof result === 'string' ? (JSON.parse(result) as TaskResult) : null,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  }
  return { key: key as number, position: position as number, task }
}

function list(json: Sql | undefined): string[] {
  return json === '[]' ? [] : (JSON.parse(json as string) as string[])
}

export function findTask(db: Connection, scope: number, id: TaskId): TaskRow | null {
  return selectTasks(db, 'WHERE t.scope = ? AND t.id = ?', scope, id)[0] ?? null
}

export function requireTask(db: Connection, scope: number, id: TaskId): TaskRow {
  const row = findTask(db, scope, id)
  if (row === null) throw refuse('TASK_NOT_FOUND', { id })
  return row
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

/** Adds a task, without its dependencies: those may be tasks that are still to be added. */
export function insertTask(db: Connection, scope: number, task: Task, position: number): void {
  const names = ['scope', 'position', ...fields.map(([, column]) => column)]
  const marks = names.map(() => '?').join(', ')
  const values = fields.map(([field]) => toSql(field, task))
  db.run(`INSERT INTO tasks (${names.join(', ')}) VALUES (${marks})`, scope, position, ...values)
}

/** Writes what changed: a column that is set to its old value still costs its indexes a rewrite. */
export function updateTask(db: Connection, row: TaskRow, task: Task): void {
  const changed = fields.filter(([field]) => task[field] !== row.task[field])
  if (changed.length === 0) return
  const sets = changed.map(([, column]) => `${column} = ?`).join(', ')
  const values = changed.map(([field]) => toSql(field, task))
  db.run(`UPDATE tasks SET ${sets} WHERE key = ?`, ...values, row.key)
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
