import { planColumn, type PlanCounts } from '../../core/plan/plan.ts'
import type { TaskStatus } from '../../core/task/task.ts'
import type { Connection } from './database/connection.ts'

/** SQL counts; the rule of the core assigns the columns. */
export function planCounts(db: Connection, scope: number, blocked: string): PlanCounts {
  const groups = db.all<{ status: TaskStatus; blocked: 0 | 1; n: number }>(
    `SELECT t.status, t.status = 'open' AND ${blocked} AS blocked, count(*) AS n
     FROM tasks t WHERE t.scope = ? GROUP BY 1, 2`,
    scope,
  )
  const counts = { open: 0, active: 0, done: 0, blocked: 0, deleted: 0 }
  for (const group of groups) counts[planColumn(group, group.blocked === 1 ? 'unfinished' : 'finished')] += group.n
  return counts
}
