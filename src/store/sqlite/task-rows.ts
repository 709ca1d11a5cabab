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

interface RawRow {
  readonly [column: string]: Sql
}

const columns = `t.*, (
  SELECT json_group_array(b.id ORDER BY d.position)
  FROM dependencies d JOIN tasks b ON b.key = d.blocker WHERE d.task = t.key
) AS deps`

/** `rest` goes on after FROM tasks t. */
export function selectTasks(db: Connection, rest: string, ...values: Sql[]): TaskRow[] {
  return db.all<RawRow>(`SELECT ${columns} FROM tasks t ${rest}`, ...values).map(fromRow)
}

function fromRow(row: RawRow): TaskRow {
  const task: Task = {
    id: row['id'] as TaskId,
    title: row['title'] as string,
    description: row['description'] as string | null,
    priority: row['priority'] as number,
    category: row['category'] as string | null,
    spec: row['spec'] as string | null,
    ref: row['ref'] as string | null,
    steps: list(row['steps']),
    type: row['type'] as TaskType | null,
    acceptance: list(row['acceptance']),
    filesExpected: list(row['files_expected']),
    deps: list(row['deps']) as TaskId[],
    status: row['status'] as TaskStatus,
    build: row['build'] as BuildId | null,
    assignee: row['assignee'] as AgentId | null,
    leaseExpiresAt: row['lease_expires_at'] as number | null,
    fence: row['fence'] as number,
    retryCount: row['retry_count'] as number,
    failReason: row['fail_reason'] as string | null,
    result: typeof row['result'] === 'string' ? (JSON.parse(row['result']) as TaskResult) : null,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
  }
  return { key: row['key'] as number, position: row['position'] as number, task }
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
  const values = { scope, id: task.id, position, created_at: task.createdAt, ...mutable(task) }
  const names = Object.keys(values)
  const marks = names.map(() => '?').join(', ')
  db.run(`INSERT INTO tasks (${names.join(', ')}) VALUES (${marks})`, ...Object.values(values))
}

export function updateTask(db: Connection, key: number, task: Task): void {
  const values = mutable(task)
  const sets = Object.keys(values).map((name) => `${name} = ?`)
  db.run(`UPDATE tasks SET ${sets.join(', ')} WHERE key = ?`, ...Object.values(values), key)
}

function mutable(task: Task): Record<string, Sql> {
  return {
    title: task.title,
    description: task.description,
    priority: task.priority,
    category: task.category,
    spec: task.spec,
    ref: task.ref,
    steps: JSON.stringify(task.steps),
    type: task.type,
    acceptance: JSON.stringify(task.acceptance),
    files_expected: JSON.stringify(task.filesExpected),
    status: task.status,
    build: task.build,
    assignee: task.assignee,
    lease_expires_at: task.leaseExpiresAt,
    fence: task.fence,
    retry_count: task.retryCount,
    fail_reason: task.failReason,
    result: task.result === null ? null : JSON.stringify(task.result),
    updated_at: task.updatedAt,
  }
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
