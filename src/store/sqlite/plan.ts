// Dependencies, and the sync of plans by difference; the rules are in core/plan/plan.ts and core/task/graph.ts.
import { refuse } from '../../core/error/error.ts'
import { requireAcyclic } from '../../core/task/graph.ts'
import type { TaskId } from '../../core/values/id.ts'
import { diffPlan, type PlanDiff, type PlanItem, type PlanRule } from '../../core/plan/plan.ts'
import { rewriteTask, type Task } from '../../core/task/task.ts'
import type { Connection } from './database/connection.ts'
import {
  allTasks,
  findTask,
  insertTask,
  nextPosition,
  replaceDependencies,
  requireTask,
  updateTask,
} from './rows/task-rows.ts'
import { saveSealed } from './sealed-examples.ts'

export function block(db: Connection, scope: number, id: TaskId, by: TaskId): void {
  const { task } = requireTask(db, scope, id)
  const blocker = requireTask(db, scope, by)
  if (task.deps.includes(by)) return
  if (blocker.task.status === 'deleted') throw refuse('TASK_NOT_FOUND', { id: by })
  redirect(db, scope, task, [...task.deps, by])
  requireAcyclic(allTasks(db, scope))
}

export function unblock(db: Connection, scope: number, id: TaskId, by: TaskId): void {
  const { task } = requireTask(db, scope, id)
  if (!task.deps.includes(by)) throw refuse('DEPENDENCY_NOT_FOUND')
  redirect(
    db,
    scope,
    task,
    task.deps.filter((dep) => dep !== by),
  )
}

function redirect(db: Connection, scope: number, task: Task, deps: readonly TaskId[]): void {
  save(db, scope, { ...rewriteTask(task, {}, db.now()), deps })
}

export function syncPlan(db: Connection, scope: number, plan: readonly PlanItem[] | PlanRule): PlanDiff {
  const current = allTasks(db, scope)
  const { items, specs } = typeof plan === 'function' ? plan(current) : { items: plan, specs: [] }
  const diff = diffPlan(current, items, db.now(), specs)
  // All rows first: a task may depend on one that comes later in the plan.
  for (const task of diff.inserted) insertOrRevive(db, scope, task)
  for (const task of [...diff.updated, ...diff.deleted]) updateTask(db, requireTask(db, scope, task.id), task)
  for (const task of [...diff.inserted, ...diff.updated]) replaceDependencies(db, scope, task)
  const done = new Set(current.flatMap(({ id, status }) => (status === 'done' ? [id] : [])))
  for (const { id, examples } of items)
    if (examples !== undefined && !done.has(id)) saveSealed(db, requireTask(db, scope, id).key, examples)
  return diff
}

/** A restored task is like a new one, except for its fence. */
function insertOrRevive(db: Connection, scope: number, task: Task): void {
  const deleted = findTask(db, scope, task.id)
  if (deleted === null) insertTask(db, scope, task, nextPosition(db, scope))
  else {
    updateTask(db, deleted, task)
    db.run('UPDATE tasks SET position = ? WHERE key = ?', nextPosition(db, scope), deleted.key)
  }
}

/** Writes the task and its dependencies. */
function save(db: Connection, scope: number, task: Task): void {
  updateTask(db, requireTask(db, scope, task.id), task)
  replaceDependencies(db, scope, task)
}
