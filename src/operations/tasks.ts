// Every verb of the task store, once. Faces translate their input into these calls and the answers into their output.
import { refuse } from '../core/error.ts'
import { dependencyTree } from '../core/graph.ts'
import type { AgentId, Instant, TaskId } from '../core/id.ts'
import type { PlanCounts, PlanDiff } from '../core/plan.ts'
import { parsePlanLines } from '../core/plan-lines.ts'
import {
  completed,
  deleted,
  failed,
  newTask,
  renewed,
  rewritten,
  type Task,
  type TaskResult,
  type TaskStatus,
  type TaskText,
} from '../core/task.ts'
import type { Claim, ClaimRequest, Scope, Store, TaskFilter } from '../store/store.ts'

export interface TaskDesk {
  readonly store: Pick<Store, 'tasks'>
  readonly scope: Scope
  readonly now: () => Instant
}

export async function createTask(
  { store, scope, now }: TaskDesk,
  id: TaskId,
  text: Partial<TaskText> & { readonly title: string },
  deps: readonly TaskId[],
): Promise<Task> {
  const task = newTask(id, text, deps, now())
  await store.tasks.create(scope, task)
  return task
}

/** What can be claimed, best first, then everything that is being worked on. */
export async function peekTasks({ store, scope }: TaskDesk, limit: number): Promise<Task[]> {
  const claimable = await store.tasks.claimable(scope, limit)
  const active = await store.tasks.list(scope, { statuses: ['active'] })
  const shown = new Set(claimable.map((task) => task.id))
  return [...claimable.map(asFree), ...active.filter((task) => !shown.has(task.id))]
}

/** Who looks for work reads by the status what can be claimed: a lease that ran out no longer counts. */
function asFree(task: Task): Task {
  return { ...task, status: 'open', assignee: null, leaseExpiresAt: null }
}

export async function claimTask({ store, scope }: TaskDesk, request: ClaimRequest): Promise<Claim> {
  const claim = await store.tasks.claim(scope, request)
  if (claim === null) throw refuse(request.id === undefined ? 'NO_ELIGIBLE_TASKS' : 'TASK_NOT_ELIGIBLE')
  return claim
}

export function renewTask({ store, scope }: TaskDesk, id: TaskId, agent: AgentId, leaseSeconds: number): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => renewed(task, agent, leaseSeconds, now))
}

/** `agent` is null where the operator speaks. */
export function completeTask(
  { store, scope }: TaskDesk,
  id: TaskId,
  agent: AgentId | null,
  result: TaskResult | null,
): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => completed(task, agent, result, now))
}

export function failTask(
  { store, scope }: TaskDesk,
  id: TaskId,
  agent: AgentId | null,
  reason: string | null,
): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => failed(task, agent, reason, now))
}

/** Where an update also moves the task, it does what the verb of that name does: fail, done or delete. */
export interface Move {
  readonly to: 'open' | 'done' | 'deleted'
  /** Null where the operator speaks. */
  readonly agent: AgentId | null
}

export function updateTask(
  { store, scope }: TaskDesk,
  id: TaskId,
  text: Partial<TaskText>,
  move: Move | null,
): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => {
    const written = rewritten(task, text, now)
    return move === null || move.to === task.status ? written : moved(written, move, now)
  })
}

function moved(task: Task, { to, agent }: Move, now: Instant): Task {
  switch (to) {
    case 'open':
      return failed(task, agent, null, now)
    case 'done':
      return completed(task, agent, null, now)
    case 'deleted':
      return deleted(task, now)
  }
}

export function deleteTask({ store, scope }: TaskDesk, id: TaskId): Promise<Task> {
  return store.tasks.change(scope, id, deleted)
}

/** Done tasks stay: they are the record of what happened. */
export function deleteTasks({ store, scope }: TaskDesk, statuses: readonly TaskStatus[]): Promise<Task[]> {
  if (statuses.includes('done')) throw refuse('DONE_KEPT')
  return store.tasks.changeAll(scope, { statuses }, deleted)
}

export async function showTask({ store, scope }: TaskDesk, id: TaskId): Promise<Task> {
  const task = await store.tasks.find(scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  return task
}

/** The tasks that a task waits for, in its own order. */
export async function blockersOf({ store, scope }: TaskDesk, task: Task): Promise<Task[]> {
  const found = new Map((await store.tasks.list(scope, { ids: task.deps })).map((blocker) => [blocker.id, blocker]))
  return task.deps.flatMap((id) => found.get(id) ?? [])
}

export function listTasks({ store, scope }: TaskDesk, filter: TaskFilter): Promise<Task[]> {
  return store.tasks.list(scope, filter)
}

const TREE_LINES_MAX = 10_000

export interface TaskTree {
  readonly lines: readonly { readonly task: Task; readonly depth: number }[]
  /** False where there was more: with many ways to the same task, a tree grows beyond all bounds. */
  readonly whole: boolean
}

export async function taskTree(desk: TaskDesk, root: TaskId): Promise<TaskTree> {
  await showTask(desk, root)
  const tasks = new Map((await desk.store.tasks.list(desk.scope, {})).map((task) => [task.id, task]))
  const found = dependencyTree(root, (id) => tasks.get(id)?.deps ?? [], TREE_LINES_MAX + 1)
  const lines = found.slice(0, TREE_LINES_MAX).flatMap(({ id, depth }) => {
    const task = tasks.get(id)
    return task === undefined ? [] : [{ task, depth }]
  })
  return { lines, whole: found.length <= TREE_LINES_MAX }
}

export function blockTask({ store, scope }: TaskDesk, id: TaskId, by: TaskId): Promise<void> {
  return store.tasks.block(scope, id, by)
}

export function unblockTask({ store, scope }: TaskDesk, id: TaskId, by: TaskId): Promise<void> {
  return store.tasks.unblock(scope, id, by)
}

export function syncPlan({ store, scope }: TaskDesk, jsonl: string): Promise<PlanDiff> {
  return store.tasks.syncPlan(scope, parsePlanLines(jsonl))
}

export function planStatus({ store, scope }: TaskDesk): Promise<PlanCounts> {
  return store.tasks.counts(scope)
}
