// Every operation on the task store, once. Faces translate their input into these calls and the answers into their
// output.
import { isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { DEFAULT_CLAIM } from '../../core/task/claim.ts'
import { dependencyTree } from '../../core/task/graph.ts'
import type { AgentId, Instant, TaskId } from '../../core/values/id.ts'
import { probeLines } from '../../core/probes/report/probe-text.ts'
import type { PlanDiff } from '../../core/plan/plan.ts'
import { parsePlanLines } from '../../core/plan/plan-jsonl.ts'
import {
  reportDone,
  markCompleted,
  markFailed,
  newTask,
  renewLease,
  rewriteTask,
  type Task,
  type TaskResult,
  type TaskStatus,
  type TaskText,
  withdrawTask,
} from '../../core/task/task.ts'
import {
  answerRequest,
  type RequestHandlers,
  type SessionAnswers,
  type SessionRequest,
} from '../../core/request/session-request.ts'
import { readingAnswers } from '../../engine/session/task-reading.ts'
import { readTaskStrength } from './task-strength.ts'
import type { Claim, ClaimRequest, Scope, Store } from '../../store/store.ts'

export interface TaskStoreContext {
  readonly store: Pick<Store, 'tasks' | 'builds'>
  readonly scope: Scope
  readonly now: () => Instant
}

export async function createTask(
  { store, scope, now }: TaskStoreContext,
  id: TaskId,
  text: Partial<TaskText> & { readonly title: string },
  deps: readonly TaskId[],
  by: 'operator' | 'session' = 'operator',
): Promise<Task> {
  const made = newTask(id, text, deps, now())
  const task = by === 'operator' ? made : { ...made, fixedClaim: DEFAULT_CLAIM }
  await store.tasks.create(scope, task)
  return task
}

export async function claimTask({ store, scope }: TaskStoreContext, request: ClaimRequest): Promise<Claim> {
  const claim = await store.tasks.claim(scope, request)
  if (claim === null) throw refuse(request.id === undefined ? 'NO_ELIGIBLE_TASKS' : 'TASK_NOT_ELIGIBLE')
  return claim
}

function renewTask(
  { store, scope }: TaskStoreContext,
  id: TaskId,
  agent: AgentId,
  leaseSeconds: number,
): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => renewLease(task, agent, leaseSeconds, now))
}

/** `agent`: null for the operator. */
export async function completeTask(
  context: TaskStoreContext,
  id: TaskId,
  agent: AgentId | null,
  result: TaskResult | null,
): Promise<Task> {
  const done = await doneRule(context, id)
  return context.store.tasks.change(context.scope, id, (task, now) => done(task, agent, result, now))
}

/** In an unfinished build only the engine finishes a task, with evidence; everybody else's word is a claim. */
async function doneRule({ store, scope }: TaskStoreContext, id: TaskId): Promise<typeof markCompleted> {
  const build = (await store.tasks.find(scope, id))?.build ?? null
  const state = build === null ? undefined : (await store.builds.find(build))?.state
  const over = state === undefined || isOver(state) ? build : null
  // A build that took the task meanwhile is an unfinished one.
  return (task, ...rest) =>
    task.build === null || task.build === over ? markCompleted(task, ...rest) : reportDone(task, ...rest)
}

function failTask(
  { store, scope }: TaskStoreContext,
  id: TaskId,
  agent: AgentId | null,
  reason: string | null,
): Promise<Task> {
  return store.tasks.change(scope, id, (task, now) => markFailed(task, agent, reason, now))
}

/** An update that also moves the task does the same as the verb of that name: fail, done or delete. */
export interface Move {
  readonly to: 'open' | 'done' | 'deleted'
  /** Null for the operator. */
  readonly agent: AgentId | null
}

export async function updateTask(
  context: TaskStoreContext,
  id: TaskId,
  text: Partial<TaskText>,
  move: Move | null,
): Promise<Task> {
  const done = move?.to === 'done' ? await doneRule(context, id) : markCompleted
  return context.store.tasks.change(context.scope, id, (task, now) => {
    const written = rewriteTask(task, text, now)
    return move === null || move.to === task.status ? written : moveTask(written, move, done, now)
  })
}

function moveTask(task: Task, { to, agent }: Move, done: typeof markCompleted, now: Instant): Task {
  switch (to) {
    case 'open':
      return markFailed(task, agent, null, now)
    case 'done':
      return done(task, agent, null, now)
    case 'deleted':
      return withdrawTask(task, now)
  }
}

export function deleteTask({ store, scope }: TaskStoreContext, id: TaskId): Promise<Task> {
  return store.tasks.change(scope, id, withdrawTask)
}

/** Done tasks stay: they are the record of what happened. */
export function deleteTasks({ store, scope }: TaskStoreContext, statuses: readonly TaskStatus[]): Promise<Task[]> {
  if (statuses.includes('done')) throw refuse('DONE_KEPT')
  return store.tasks.changeAll(scope, { statuses }, withdrawTask)
}

const TREE_LINES_MAX = 10_000

export interface TaskTree {
  readonly lines: readonly { readonly task: Task; readonly depth: number }[]
  /** False where there is more: with many paths to the same task, a tree grows without bound. */
  readonly whole: boolean
}

export function taskTree(all: readonly Task[], root: TaskId): TaskTree {
  const tasks = new Map(all.map((task) => [task.id, task]))
  if (!tasks.has(root)) throw refuse('TASK_NOT_FOUND', { id: root })
  const found = dependencyTree(root, (id) => tasks.get(id)?.deps ?? [], TREE_LINES_MAX + 1)
  const lines = found.slice(0, TREE_LINES_MAX).flatMap(({ id, depth }) => {
    const task = tasks.get(id)
    return task === undefined ? [] : [{ task, depth }]
  })
  return { lines, whole: found.length <= TREE_LINES_MAX }
}

export function blockTask({ store, scope }: TaskStoreContext, id: TaskId, by: TaskId): Promise<void> {
  return store.tasks.block(scope, id, by)
}

export function unblockTask({ store, scope }: TaskStoreContext, id: TaskId, by: TaskId): Promise<void> {
  return store.tasks.unblock(scope, id, by)
}

export function syncPlan({ store, scope }: TaskStoreContext, jsonl: string): Promise<PlanDiff> {
  return store.tasks.syncPlan(scope, parsePlanLines(jsonl))
}

/** Who makes a request without being a session of an engine: a person, a script, or an agent of their own. */
export interface Speaker {
  /** Null: the operator. */
  readonly named: () => AgentId | null
  /** A claim always has a holder. */
  readonly claiming: () => Promise<AgentId>
  /** Whether it is a session of a build after all, which left the engine aside. */
  readonly isSession: () => Promise<boolean>
}

export function answerFromStore<Request extends SessionRequest>(
  context: TaskStoreContext,
  speaker: Speaker,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  return answerRequest(handlersOf(context, speaker), request)
}

function handlersOf(context: TaskStoreContext, { named, claiming, isSession }: Speaker): RequestHandlers {
  const noIteration = async (): Promise<never> => {
    throw refuse('NO_ITERATION')
  }
  const reading = readingAnswers(context)
  return {
    ...reading,
    show: async (request) => {
      const answer = await reading.show(request)
      const found = await readTaskStrength(context.store, answer.task)
      if (found === null) return answer
      const { strength, sentence, probes } = found
      return { ...answer, evidence: { strength, sentence, lines: probes === null ? [] : probeLines(probes) } }
    },
    claim: async ({ id, leaseSeconds }) => {
      const agent = await claiming()
      const claim = await claimTask(context, { ...(id === null ? {} : { id }), agent, leaseSeconds })
      return { ...claim, brief: null }
    },
    renew: async ({ id, leaseSeconds }) => renewTask(context, id, await claiming(), leaseSeconds),
    done: async ({ id, result }) => completeTask(context, id, named(), result),
    fail: async ({ id, reason }) => failTask(context, id, named(), reason),
    create: async ({ id, text, deps }) =>
      createTask(context, id, text, deps, (await isSession()) ? 'session' : 'operator'),
    buildStatus: async () => {
      const build = await context.store.builds.newest(context.scope)
      const plan = await context.store.tasks.counts(context.scope)
      return { build: build === null ? null : { id: build.id, state: build.state }, plan, iteration: null }
    },
    scratchpad: noIteration,
    signal: noIteration,
    refused: noIteration,
    applyPatch: noIteration,
    runChecks: noIteration,
  }
}
