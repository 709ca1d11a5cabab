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
): Promise<void> {
  await store.tasks.create(scope, newTask(id, text, deps, now()))
}

/** What can be claimed, best first, then everything that is being worked on. */
export async function peekTasks({ store, scope }: TaskDesk, limit: number): Promise<Task[]> {
  const claimable = await store.tasks.claimable(scope, limit)
  const active = await store.tasks.list(scope, { statuses: ['active'] })
  const shown = new Set(claimable.map((task) => task.id))
  return [...claimable, ...active.filter((task) => !shown.has(task.id))]
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

export function updateTask({ store, scope }: TaskDesk, id: TaskId, text: Partial<TaskText>): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => rewritten(task, text, now))
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

export async function taskTree(desk: TaskDesk, root: TaskId): Promise<{ task: Task; depth: number }[]> {
  await showTask(desk, root)
  const tasks = new Map((await desk.store.tasks.list(desk.scope, {})).map((task) => [task.id, task]))
  const lines = dependencyTree(root, (id) => tasks.get(id)?.deps ?? [], TREE_LINES_MAX)
  return lines.flatMap(({ id, depth }) => {
    const task = tasks.get(id)
    return task === undefined ? [] : [{ task, depth }]
  })
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
