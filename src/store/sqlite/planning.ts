// A build before it has tasks, and how it gets them; the rules are in core/builds/planning.ts and core/plan/plan.ts.
import type { BuildId, TaskId } from '../../core/values/id.ts'
import { plannedFacts, type Planning, planningDone } from '../../core/builds/planning.ts'
import { isReported } from '../../core/task/reported.ts'
import type { BuildStore, NewPlan, PlanResult } from '../store.ts'
import { type BuildRow, saveBuild } from './rows/build-rows.ts'
import type { Connection } from './database/connection.ts'
import { appendFacts } from './facts.ts'
import { saveAttachments, readAttachments } from './attachments.ts'
import { syncPlan } from './plan.ts'
import { allTasks, requireTask, updateTask } from './rows/task-rows.ts'

export function changePlanning(
  db: Connection,
  id: BuildId,
  rule: Parameters<BuildStore['changePlanning']>[1],
): Planning | null {
  const planning = planningOf(db, id)
  const change = planning === null ? null : rule(planning, db.now())
  if (change === null) return null
  saveAttachments(db, id, [{ ...change.planning, kind: 'planning' }])
  appendFacts(db, id, change.facts)
  return change.planning
}

export function plan(
  db: Connection,
  { scope, build }: BuildRow,
  fence: number,
  rule: Parameters<BuildStore['plan']>[2],
): PlanResult {
  const planning = planningOf(db, build.id)
  const done = planning === null || build.state === 'aborted' ? null : planningDone(planning, fence)
  if (done === null) return { kept: false }
  let made: NewPlan = { items: [], specs: [], notes: '' }
  const diff = syncPlan(db, scope, (current) => (made = rule(current)))
  const open = allTasks(db, scope).filter(
    (task) => task.status === 'open' || task.status === 'active' || isReported(task),
  )
  takeIn(
    db,
    scope,
    build.id,
    open.map(({ id }) => id),
  )
  saveAttachments(db, build.id, [{ ...done, kind: 'planning' }])
  const facts = plannedFacts(made.items, made.notes, open.length)
  appendFacts(db, build.id, facts)
  saveBuild(db, { ...build, lastActivityAt: db.now() })
  return { kept: true, diff, facts }
}

function planningOf(db: Connection, id: BuildId): Planning | null {
  const [record] = readAttachments(db, id, 'planning', undefined)
  if (record === undefined) return null
  const { kind: _, ...planning } = record
  return planning
}

/** Makes the tasks the build's. */
export function takeIn(db: Connection, scope: number, build: BuildId, tasks: readonly TaskId[]): void {
  for (const id of tasks) {
    const row = requireTask(db, scope, id)
    updateTask(db, row, { ...row.task, build })
  }
}
