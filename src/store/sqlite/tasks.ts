// The tasks of the store: claims, changes by rule, lists.
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import { claimTask, type Holder, TASK_STATUSES, type TaskResult, type TaskStatus } from '../../core/task/task.ts'
import type { Claim, TaskFilter, TaskStore } from '../store.ts'
import type { Connection } from './database/connection.ts'
import { block, syncPlan, unblock } from './plan.ts'
import { planCounts } from './plan-counts.ts'
import { readSealed } from './sealed-examples.ts'
import {
  ensureScope,
  findTask,
  insertTask,
  nextPosition,
  replaceDependencies,
  requireTask,
  scopeKey,
  selectTasks,
  taskQuery,
  type TaskRow,
  updateTask,
} from './rows/task-rows.ts'

/** Settled blockers block nothing (core/task/task.ts, isSettled). */
const BLOCKED = `EXISTS (
  SELECT 1 FROM dependencies d JOIN tasks b ON b.key = d.blocker
  WHERE d.task = t.key AND b.status IN ('open', 'active', 'waiting')
)`
/** Nobody has verified yet that it is done (core/task/reported.ts, isReported). */
const reportedIn = (row: 't' | 'b'): string =>
  `${row}.status = 'done' AND ${row}.said_done IS NOT NULL AND ${row}.said_done ->> 'verified' IS NULL`
/** For the loops of a build such a task blocks too. */
const BLOCKED_IN_BUILD = `EXISTS (
  SELECT 1 FROM dependencies d JOIN tasks b ON b.key = d.blocker
  WHERE d.task = t.key AND (b.status IN ('open', 'active', 'waiting') OR (${reportedIn('b')}))
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

    // The key of a scope never changes, so the two queries need no common transaction.
    find: (scope, id) => db.readOne(() => findTask(db, scopeKey(db, scope), id)?.task ?? null),

    list: (scope, filter) => db.read(() => matchingTasks(db, scopeKey(db, scope), filter).map((row) => row.task)),

    reported: (scope) => db.read(() => selectTasks(db, queries.reported, scopeKey(db, scope)).map((row) => row.task)),

    claimable: (scope, limit) =>
      db.read(() => claimable(db, scopeKey(db, scope), limit, 'agent').map((row) => row.task)),

    claim: (scope, request) =>
      db.write(() => {
        const key = scopeKey(db, scope)
        const holder = request.build === undefined ? 'agent' : 'loop'
        const [best] =
          request.id === undefined ? claimable(db, key, 1, holder) : claimableById(db, key, request.id, holder)
        if (best === undefined) return null
        const taken = claimTask(best.task, request.agent, request.leaseSeconds, db.now(), holder)
        const task = { ...taken, build: request.build ?? taken.build }
        updateTask(db, best, task)
        return { task, blockerResults: blockerResults(db, best) }
      }),

    change: (scope, id, rule) =>
      db.write(() => {
        const row = requireTask(db, scopeKey(db, scope), id)
        return saveChange(db, row, rule(row.task, db.now()))
      }),

    changeAll: (scope, filter, rule) =>
      db.write(() => {
        const rows = matchingTasks(db, scopeKey(db, scope), filter)
        return rows.map((row) => saveChange(db, row, rule(row.task, db.now())))
      }),

    block: (scope, id, by) => db.write(() => block(db, scopeKey(db, scope), id, by)),
    unblock: (scope, id, by) => db.write(() => unblock(db, scopeKey(db, scope), id, by)),
    syncPlan: (scope, items) => db.write(() => syncPlan(db, ensureScope(db, scope), items)),
    examples: (scope, id) => db.readOne(() => readSealed(db, scopeKey(db, scope), id)),
    counts: (scope) => db.read(() => planCounts(db, scopeKey(db, scope), BLOCKED)),
  }
}

function saveChange(db: Connection, row: TaskRow, task: TaskRow['task']): TaskRow['task'] {
  if (task !== row.task) updateTask(db, row, task)
  return task
}

// `LIMIT ?` alone would make SQLite prepare the statement again on every run, ten times the cost of running it.
const BEST = 'ORDER BY t.priority, t.position LIMIT ? + 0'
const blocked = { agent: BLOCKED, loop: BLOCKED_IN_BUILD }
const open = (holder: Holder): string => `WHERE t.scope = ? AND t.status = 'open' AND NOT ${blocked[holder]}`
// The rule of `isFree` in core/task/task.ts, also where the clock was set back.
const LAPSED = '? NOT BETWEEN 2 * t.updated_at - t.lease_expires_at AND t.lease_expires_at - 1'
const expired = (holder: Holder): string =>
  `WHERE t.scope = ? AND t.status = 'active' AND ${LAPSED} AND NOT ${blocked[holder]}`
/** Only a loop may take a task that an outside agent reported done (core/task/task.ts, isFree). */
const UNSAID = `AND (t.said_done IS NULL OR t.said_done ->> 'where' <> 'outside')`
export const queries = {
  open: { agent: taskQuery(`${open('agent')} ${UNSAID} ${BEST}`), loop: taskQuery(`${open('loop')} ${BEST}`) },
  expired: {
    agent: taskQuery(`${expired('agent')} ${UNSAID} ${BEST}`),
    loop: taskQuery(`${expired('loop')} ${BEST}`),
  },
  openById: {
    agent: taskQuery(`${open('agent')} ${UNSAID} AND t.id = ?`),
    loop: taskQuery(`${open('loop')} AND t.id = ?`),
  },
  expiredById: {
    agent: taskQuery(`${expired('agent')} ${UNSAID} AND t.id = ?`),
    loop: taskQuery(`${expired('loop')} AND t.id = ?`),
  },
  reported: taskQuery(`WHERE t.scope = ? AND ${reportedIn('t')} ORDER BY t.priority, t.position`),
  blockerResults: `SELECT b.id, b.result FROM dependencies e JOIN tasks b ON b.key = e.blocker
    WHERE e.task = ? AND b.result IS NOT NULL ORDER BY e.position`,
}

/** Open and unblocked, or active with an expired lease; two walks along an index, best first. */
function claimable(db: Connection, scope: number, limit: number, holder: Holder): TaskRow[] {
  const unheld = selectTasks(db, queries.open[holder], scope, limit)
  const lapsed = selectTasks(db, queries.expired[holder], scope, db.now(), limit)
  if (lapsed.length === 0) return unheld
  return [...unheld, ...lapsed].sort(inPlanOrder).slice(0, limit)
}

function claimableById(db: Connection, scope: number, id: TaskId, holder: Holder): TaskRow[] {
  const unheld = selectTasks(db, queries.openById[holder], scope, id)
  return unheld.length > 0 ? unheld : selectTasks(db, queries.expiredById[holder], scope, db.now(), id)
}

function inPlanOrder(a: TaskRow, b: TaskRow): number {
  return a.task.priority - b.task.priority || a.position - b.position
}

function matchingTasks(db: Connection, scope: number, filter: TaskFilter): TaskRow[] {
  const { statuses, ids, assignee } = filter
  const conditions = [
    ...(statuses === undefined ? [] : [`(${anyOf(statuses)})`]),
    ...(ids === undefined ? [] : ['t.id IN (SELECT value FROM json_each(?))']),
    ...(assignee === undefined ? [] : ['t.assignee = ?']),
  ]
  const values = [ids === undefined ? [] : [JSON.stringify(ids)], assignee ?? []].flat()
  const where = ['WHERE t.scope = ?', ...conditions].join(' AND ')
  return selectTasks(db, taskQuery(`${where} ORDER BY t.priority, t.position`), scope, ...values)
}

/** As literals: a bound status cannot select its partial index. */
function anyOf(statuses: readonly TaskStatus[]): string {
  const known = TASK_STATUSES.filter((status) => statuses.includes(status))
  return known.length === 0 ? 'FALSE' : known.map((status) => `t.status = '${status}'`).join(' OR ')
}

function blockerResults(db: Connection, row: TaskRow): Claim['blockerResults'] {
  if (row.task.deps.length === 0) return []
  const results = db.all<{ id: TaskId; result: string }>(queries.blockerResults, row.key)
  return results.map(({ id, result }) => ({ id, result: JSON.parse(result) as TaskResult }))
}
