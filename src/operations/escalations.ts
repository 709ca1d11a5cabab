// The four ways out of a task that waits for a human: skip, retry, answer, resolve.
import type { Attempt } from '../core/attempt.ts'
import { refuse } from '../core/error.ts'
import type { BuildId, TaskId } from '../core/id.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { type BuildDesk, findBuild } from './builds.ts'

export interface Waiting {
  readonly build: BuildId
  readonly attempt: Attempt
  readonly reason: string
}

/** The named task, or the one that waits. */
export async function findWaiting(desk: BuildDesk, named?: TaskId): Promise<Waiting> {
  const { id } = await findBuild(desk)
  const attempts = await desk.store.builds.attempts(id)
  const waiting = [...attempts.values()].filter((attempt) => attempt.phase.at === 'waiting')
  const attempt = named === undefined ? waiting[0] : attempts.get(named)
  if (attempt === undefined)
    throw named === undefined ? refuse('NOTHING_WAITS') : refuse('TASK_NOT_FOUND', { id: named })
  if (named === undefined && waiting.length > 1)
    throw refuse('SEVERAL_WAIT', { ids: waiting.map(({ task }) => task).join(', ') })
  const { phase } = attempt
  return { build: id, attempt, reason: phase.at === 'waiting' ? phase.reason : '' }
}

export async function skipTask(desk: BuildDesk, named?: TaskId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(desk, named)
  await desk.store.builds.tell(build, { type: 'taskSkipped', taskId: attempt.task, by: desk.person })
  return attempt.task
}

export async function retryTask(desk: BuildDesk, named?: TaskId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(desk, named)
  await desk.store.builds.tell(build, { type: 'taskRetried', taskId: attempt.task, by: desk.person })
  return attempt.task
}

export async function answerTask(desk: BuildDesk, text: string, named?: TaskId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(desk, named)
  await desk.store.builds.tell(build, { type: 'taskAnswered', taskId: attempt.task, by: desk.person, text })
  return attempt.task
}

export interface Fix {
  readonly text: string
  /** Where the fix is; null: in the task's own folder. */
  readonly from: { readonly folder: string } | { readonly ref: string } | null
  readonly accepted: 'if-verified' | 'unverified'
}

/** Takes the human's fix into the attempt; a loop verifies it and merges it. */
export async function resolveTask(desk: BuildDesk, workspaces: Workspaces, fix: Fix, named?: TaskId): Promise<TaskId> {
  const { build, attempt } = await findWaiting(desk, named)
  const { task, number, iteration } = attempt
  const own = await workspaces.find(build, task)
  const from = fix.from ?? (own === null ? null : { folder: own.folder })
  if (from === null) throw refuse('NO_WORKSPACE', { id: task })
  const harvest = await workspaces.adopt(from, { build, task, attempt: number, iteration: iteration + 1 })
  if (!harvest.taken) throw refuse('FIX_REFUSED', { reason: harvest.reason })
  await desk.store.builds.tell(build, {
    type: 'taskResolved',
    taskId: task,
    by: desk.person,
    text: fix.text,
    tree: harvest.tree,
    accepted: fix.accepted,
  })
  return task
}
