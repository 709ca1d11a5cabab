// The task half of the store: claims, changes by rule, listing.
import { refuse } from '../../core/error.ts'
import { claimed } from '../../core/task.ts'
import type { Claim, TaskFilter, TaskStore } from '../store.ts'
import type { Connection, Sql } from './connection.ts'
import { block, syncPlan, unblock } from './plan.ts'
import { planCounts } from './plan-counts.ts'
import {
  ensureScope,
  findTask,
  insertTask,
  nextPosition,
  replaceDependencies,
  requireTask,
  scopeKey,
  selectTasks,
  type TaskRow,
  updateTask,
} from './task-rows.ts'

/** Settled blockers hold nobody up (core/task.ts, isSettled). */
const BLOCKED = `EXISTS (
  SELECT 1 FROM dependencies d JOIN tasks b ON b.key = d.blocker
  WHERE d.task = t.key AND b.status IN ('open', 'active', 'waiting')
)`

export function taskStore(db: Connection): TaskStore {
  return {
    create: (scope, task) =>
      db.write(() => {
        const key = ensureScope(db, scope)
        const standing = findTask(db, key, task.id)
        if (standing !== null) throw refuse('TASK_EXISTS', { id: task.id, status: standing.task.status })
        const unknown = task.deps.find((id) => (findTask(db, key, id)?.task.status ?? 'deleted') === 'deleted')
        if (unknown !== undefined) throw refuse('DEPENDENCY_UNKNOWN', { id: unknown })
        insertTask(db, key, task, nextPosition(db, key))
        if (task.deps.length > 0) replaceDependencies(db, key, task)
      }),

    find: (scope, id) => db.read(() => findTask(db, scopeKey(db, scope), id)?.task ?? null),

    list: (scope, filter) => db.read(() => matching(db, scopeKey(db, scope), filter).map((row) => row.task)),

    claimable: (scope, limit) => db.read(() => claimable(db, scopeKey(db, scope), limit).map((row) => row.task)),

    claim: (scope, request) =>
      db.write(() => {
        const key = scopeKey(db, scope)
        const [best] = claimable(db, key, 1, request.id)
        if (best === undefined) return null
        const task = claimed(best.task, request.agent, request.leaseSeconds, db.now())
        updateTask(db, best, task)
        return { task, blockerResults: blockerResults(db, best) }
      }),

    change: (scope, id, rule) =>
      db.write(() => {
        const row = requireTask(db, scopeKey(db, scope), id)
        return changed(db, row, rule(row.task, db.now()))
      }),

    changeAll: (scope, filter, rule) =>
      db.write(() => {
        const rows = matching(db, scopeKey(db, scope), filter)
        return rows.map((row) => changed(db, row, rule(row.task, db.now())))
      }),

    block: (scope, id, by) => db.write(() => block(db, scopeKey(db, scope), id, by)),
    unblock: (scope, id, by) => db.write(() => unblock(db, scopeKey(db, scope), id, by)),
    syncPlan: (scope, items) => db.write(() => syncPlan(db, ensureScope(db, scope), items)),
    counts: (scope) => db.read(() => planCounts(db, scopeKey(db, scope), BLOCKED)),
  }
}

function changed(db: Connection, row: TaskRow, task: TaskRow['task']): TaskRow['task'] {
  if (task !== row.task) updateTask(db, row, task)
  return task
}

/** Open and unblocked, or active with a lease that ran out; two walks along an index, best first. */
function claimable(db: Connection, scope: number, limit: number, id?: string): TaskRow[] {
  const named = id === undefined ? '' : 'AND t.id = ?'
  const values: Sql[] = id === undefined ? [] : [id]
  // `LIMIT ?` alone would make SQLite prepare the statement anew on every run, ten times the cost of running it.
  const best = 'ORDER BY t.priority, t.position LIMIT ? + 0'
  const open = `WHERE t.scope = ? AND t.status = 'open' ${named} AND NOT ${BLOCKED} ${best}`
  const expired = `WHERE t.scope = ? AND t.status = 'active' ${named} AND t.lease_expires_at <= ? ${best}`
  const rows = [
    ...selectTasks(db, open, scope, ...values, limit),
    ...selectTasks(db, expired, scope, ...values, db.now(), limit),
  ]
  return rows.sort((a, b) => a.task.priority - b.task.priority || a.position - b.position).slice(0, limit)
}

function matching(db: Connection, scope: number, filter: TaskFilter): TaskRow[] {
  const { statuses, ids, assignee } = filter
  // Statuses are a closed set, so they can stand in the text, where SQLite sees that an index is made for one.
  const oneOf = statuses?.map((status) => `t.status = '${status}'`).join(' OR ')
  const inStatus = oneOf === undefined ? '' : `AND (${oneOf || 'FALSE'})`
  const inIds = ids === undefined ? '' : 'AND t.id IN (SELECT value FROM json_each(?))'
  const byAssignee = assignee === undefined ? '' : 'AND t.assignee = ?'
  const values = [ids === undefined ? undefined : JSON.stringify(ids), assignee].filter((value) => value !== undefined)
  return selectTasks(
    db,
    `WHERE t.scope = ? ${inStatus} ${inIds} ${byAssignee} ORDER BY t.priority, t.position`,
    scope,
    ...values,
  )
}

function blockerResults(db: Connection, row: TaskRow): Claim['blockerResults'] {
  if (row.task.deps.length === 0) return []
  const blockers = selectTasks(
    db,
    `JOIN dependencies e ON e.blocker = t.key WHERE e.task = ? AND t.result IS NOT NULL ORDER BY e.position`,
    row.key,
  )
  return blockers.flatMap(({ task }) => (task.result === null ? [] : [{ id: task.id, result: task.result }]))
}
