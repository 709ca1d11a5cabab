// The four ways out of a task that waits for a human: skip, retry, answer, resolve.
import { type Attempt, firstAttempt } from '../../core/attempt/attempt.ts'
import { isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { type BuildContext, findBuild, frozenOf } from './builds.ts'

export interface Waiting {
  readonly build: BuildId
  readonly attempt: Attempt
  readonly reason: string
}

/** The named task, or the only one that waits. Refuses a task that does not wait. */
export async function findWaiting(context: BuildContext, named?: TaskId, id?: BuildId): Promise<Waiting> {
  const { build, attempts } = await openAttempts(context, id)
  const attempt = named === undefined ? onlyWaiting(attempts) : await requireAttempt(context, attempts, named)
  const { phase } = attempt
  if (phase.at !== 'waiting') throw refuse('TASK_NOT_WAITING', { id: attempt.task, phase: phase.at })
  return { build, attempt, reason: phase.reason }
}

/** Nobody can decide anything in a build that is over; a new build tries what was left. */
async function openAttempts(
  context: BuildContext,
  named?: BuildId,
): Promise<{ readonly build: BuildId; readonly attempts: ReadonlyMap<TaskId, Attempt> }> {
  const { id, state } = await findBuild(context, named)
  if (isOver(state)) throw refuse('BUILD_STATE', { id, state, done: 'changed' })
  return { build: id, attempts: await context.store.builds.attempts(id) }
}

function onlyWaiting(attempts: ReadonlyMap<TaskId, Attempt>): Attempt {
  const [first, ...others] = [...attempts.values()].filter(({ phase }) => phase.at === 'waiting')
  if (first === undefined) throw refuse('NOTHING_WAITS')
  if (others.length > 0) throw refuse('SEVERAL_WAIT', { ids: [first, ...others].map(({ task }) => task).join(', ') })
  return first
}

async function requireAttempt(
  { store, scope }: BuildContext,
  attempts: ReadonlyMap<TaskId, Attempt>,
  id: TaskId,
): Promise<Attempt> {
  const attempt = attempts.get(id)
  if (attempt !== undefined) return attempt
  throw (await store.tasks.find(scope, id)) === null
    ? refuse('TASK_NOT_FOUND', { id })
    : refuse('ATTEMPT_NOT_FOUND', { id })
}

/** Also skips a task that is being worked on, which its loop then loses, and a task that was never begun. */
export async function skipTask(context: BuildContext, named?: TaskId, of?: BuildId): Promise<TaskId> {
  const { build, attempts } = await openAttempts(context, of)
  const id = named ?? onlyWaiting(attempts).task
  const task = await context.store.tasks.find(context.scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  if (task.status === 'skipped') return id
  if (task.status === 'done') throw refuse('TASK_DONE', { id, verb: 'skipped' })
  if (task.status === 'split') throw refuse('TASK_SPLIT', { id })
  const { config } = await frozenOf(context, build)
  const fact = { type: 'taskSkipped', taskId: id, by: context.person } as const
  await context.store.builds.tell(build, fact, firstAttempt(task, build, config.limits))
  return id
}

export async function retryTask(context: BuildContext, named?: TaskId, id?: BuildId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(context, named, id)
  await context.store.builds.tell(build, { type: 'taskRetried', taskId: attempt.task, by: context.person })
  return attempt.task
}

export async function answerTask(context: BuildContext, text: string, named?: TaskId, id?: BuildId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(context, named, id)
  await context.store.builds.tell(build, { type: 'taskAnswered', taskId: attempt.task, by: context.person, text })
  return attempt.task
}

export interface Fix {
  readonly text: string
  /** Where the fix is; null: in the task's own folder. */
  readonly from: { readonly folder: string } | { readonly ref: string } | null
  readonly accepted: 'if-verified' | 'unverified'
}

/** Takes the human's fix into the attempt. The task's driver then verifies and merges it. */
export async function resolveTask(
  context: BuildContext,
  workspaces: Workspaces,
  fix: Fix,
  { build, attempt }: Waiting,
): Promise<TaskId> {
  const { task, number, iteration } = attempt
  const own = fix.from === null ? await workspaces.find(build, task) : null
  const from = fix.from ?? (own === null ? null : { folder: own.folder })
  if (from === null) throw refuse('NO_WORKSPACE', { id: task })
  const harvest = await workspaces.adopt(from, { build, task, attempt: number, iteration: iteration + 1 })
  if (!harvest.taken) throw refuse('FIX_REFUSED', { reason: harvest.reason })
  await context.store.builds.tell(build, {
    type: 'taskResolved',
    taskId: task,
    by: context.person,
    text: fix.text,
    tree: harvest.tree,
    accepted: fix.accepted,
  })
  return task
}
