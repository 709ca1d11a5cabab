// A plan: the task graph, its ready tasks, its counts, and the rules for syncing a new version.
import { type ErrorCode, RalphError, refuse } from '../error/error.ts'
import { requireAcyclic } from '../task/graph.ts'
import type { SealedExample } from '../sealed/example.ts'
import type { Instant, TaskId } from '../values/id.ts'
import { DEFAULT_CLAIM } from '../task/claim.ts'
import {
  markDeleted,
  isSettled,
  newTask,
  releaseTask,
  rewordTask,
  rewriteTask,
  type Task,
  type TaskText,
} from '../task/task.ts'

export interface PlanCounts {
  readonly open: number
  readonly active: number
  readonly done: number
  readonly blocked: number
  readonly deleted: number
}

/** The column of `plan-status` that a task counts in. */
export function planColumn(task: Pick<Task, 'status'>, blockersFinished: 'finished' | 'unfinished'): keyof PlanCounts {
  switch (task.status) {
    case 'open':
      return blockersFinished === 'finished' ? 'open' : 'blocked'
    case 'waiting':
      return 'blocked'
    case 'active':
    case 'done':
      return task.status
    case 'skipped':
    case 'split':
    case 'deleted':
      return 'deleted'
  }
}

export function renderCounts(counts: PlanCounts): string {
  const { open, active, done, blocked } = counts
  return `${open} open, ${active} active, ${done} done, ${blocked} blocked, ${counts.deleted} deleted`
}

/** Whether all dependencies of a task are settled. */
export function blockers(
  task: Pick<Task, 'deps'>,
  statusOf: (id: TaskId) => Task['status'],
): 'finished' | 'unfinished' {
  return task.deps.every((id) => isSettled(statusOf(id))) ? 'finished' : 'unfinished'
}

/** One task of a plan; a missing field leaves the stored value as it is. */
export interface PlanItem {
  readonly id: TaskId
  readonly text: Partial<TaskText> & { readonly title: string }
  readonly deps?: readonly TaskId[]
  /** Kept beside the task, never in it: whoever works on the task must not see them. */
  readonly examples?: readonly SealedExample[]
  /** The implementer wrote it: it does not say what the task claims. */
  readonly by?: 'session'
  /** The line that it was read from, for messages. */
  readonly line: number
}

/** A whole plan; `specs`: the groups that it lists completely, even where it has no task of them. */
export interface Plan {
  readonly items: readonly PlanItem[]
  readonly specs: readonly string[]
}

/** Makes a plan from the existing tasks, in the same transaction that syncs it. */
export type PlanRule<Made extends Plan = Plan> = (current: readonly Task[]) => Made

export interface PlanDiff {
  readonly inserted: readonly Task[]
  readonly updated: readonly Task[]
  readonly deleted: readonly Task[]
  readonly skippedDone: number
}

export function renderDiff(diff: PlanDiff): string {
  const { inserted, updated, skippedDone } = diff
  const counts = [inserted.length, updated.length, diff.deleted.length]
  return `inserted: ${counts[0]}, updated: ${counts[1]}, deleted: ${counts[2]}, skipped (done): ${skippedDone}`
}

/**
 * Syncs a new version of a plan by difference. Done tasks stay as they are. A task that its spec no longer lists is
 * deleted; tasks without a spec belong to no list and are never deleted for being absent.
 */
export function diffPlan(
  current: readonly Task[],
  wanted: readonly PlanItem[],
  now: Instant,
  groups: readonly string[] = [],
): PlanDiff {
  const before = new Map(current.map((task) => [task.id, task]))
  const listed = new Set(wanted.map((item) => item.id))
  const specs = new Set([...groups, ...wanted.map((item) => item.text.spec).filter((spec) => spec != null)])

  const inserted: Task[] = []
  const updated: Task[] = []
  let skippedDone = 0
  for (const item of wanted) {
    const task = before.get(item.id)
    if (task?.status === 'done') skippedDone += 1
    else if (task === undefined || task.status === 'deleted') inserted.push(atLine(item, () => toTask(item, task, now)))
    else {
      const changed = atLine(item, () => changedBy(item, task, now))
      if (changed !== null) updated.push(changed)
    }
  }
  const gone = current.filter(
    (task) => task.spec !== null && specs.has(task.spec) && !listed.has(task.id) && !isSettled(task.status),
  )
  const diff = { inserted, updated, deleted: gone.map((task) => markDeleted(task, now)), skippedDone }
  requireSound(before, diff, wanted)
  return diff
}

function toTask(item: PlanItem, was: Task | undefined, now: Instant): Task {
  const made = newTask(item.id, item.text, item.deps ?? [], now)
  const task = item.by === undefined ? made : { ...made, fixedClaim: DEFAULT_CLAIM }
  return was === undefined ? task : { ...task, fence: releaseTask(was, now).fence }
}

function changedBy(item: PlanItem, task: Task, now: Instant): Task | null {
  const { by, text } = item
  const rewritten = by === undefined ? rewriteTask(task, text, now) : rewordTask(task, text, by, now)
  const changed = { ...rewritten, deps: [...new Set(item.deps ?? task.deps)] }
  const same = JSON.stringify({ ...changed, updatedAt: task.updatedAt }) === JSON.stringify(task)
  return same ? null : changed
}

function requireSound(before: ReadonlyMap<TaskId, Task>, diff: PlanDiff, wanted: readonly PlanItem[]): void {
  const after = new Map(before)
  for (const task of [...diff.inserted, ...diff.updated, ...diff.deleted]) after.set(task.id, task)
  for (const item of wanted) {
    const unknown = item.deps?.find((id) => (after.get(id)?.status ?? 'deleted') === 'deleted')
    if (unknown !== undefined) throw badLine(item, 'DEPENDENCY_UNKNOWN', unknown)
  }
  // A deleted task blocks nothing, so a path through it is no cycle.
  requireAcyclic([...after.values()].filter((task) => task.status !== 'deleted'))
}

function atLine<T>(item: PlanItem, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RalphError) throw refuse('PLAN_LINE_BAD', { line: item.line, problem: error.message }, error)
    throw error
  }
}

function badLine(item: PlanItem, code: ErrorCode, id: TaskId): RalphError {
  return refuse('PLAN_LINE_BAD', { line: item.line, problem: refuse(code, { id }).message })
}
