import { refuse } from '../../core/error/error.ts'
import { requireAcyclic } from '../../core/task/graph.ts'
import type { Task } from '../../core/task/task.ts'
import type { Connection } from './database/connection.ts'
import {
  allTasks,
  findTask,
  insertTask,
  replaceDependencies,
  selectTasks,
  taskQuery,
  type TaskRow,
} from './rows/task-rows.ts'

/** Places the parts of a split task between it and the next one in plan order; its dependants wait for all of them. */
export function placeParts(db: Connection, whole: TaskRow, parts: readonly Task[]): void {
  if (parts.length === 0) return
  const scope = scopeOf(db, whole)
  const next = db.get<{ next: number | null }>(
    'SELECT min(position) AS next FROM tasks WHERE scope = ? AND position > ?',
    scope,
    whole.position,
  )?.next
  const gap = ((next ?? whole.position + 1) - whole.position) / (parts.length + 1)
  for (const [index, part] of parts.entries()) {
    const standing = findTask(db, scope, part.id)
    if (standing !== null) throw refuse('TASK_EXISTS', { id: part.id, status: standing.task.status })
    insertTask(db, scope, part, whole.position + gap * (index + 1))
  }
  for (const part of parts) replaceDependencies(db, scope, part)
  for (const dependant of dependantsOf(db, whole)) {
    const deps = [...dependant.task.deps, ...parts.map((part) => part.id)]
    replaceDependencies(db, scope, { ...dependant.task, deps })
  }
  requireAcyclic(allTasks(db, scope))
}

function scopeOf(db: Connection, row: TaskRow): number {
  return db.get<{ scope: number }>('SELECT scope FROM tasks WHERE key = ?', row.key)?.scope ?? 0
}

const DEPENDANTS = taskQuery('JOIN dependencies e ON e.task = t.key WHERE e.blocker = ?')

function dependantsOf(db: Connection, blocker: TaskRow): TaskRow[] {
  return selectTasks(db, DEPENDANTS, blocker.key)
}
