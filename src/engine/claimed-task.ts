// A task that this process holds: for how long, and what happens to it and its folder afterwards.
import type { Attempt } from '../core/attempt/attempt.ts'
import type { BuildId } from '../core/values/id.ts'
import { releaseTask, type Task } from '../core/task/task.ts'
import type { Lease } from '../store/store.ts'
import type { EngineDeps } from './deps.ts'

/** Long enough for a busy machine, short enough that a dead loop's task is soon free. */
export const LEASE_SECONDS = 60

export function leaseOn({ scope }: EngineDeps, { id, fence }: Task): Lease {
  return { scope, task: id, fence }
}

/**
 * Opens the task again and keeps its attempt, so that the next loop continues it. A task at rest belongs to nobody
 * already.
 */
export async function giveBack({ store, scope }: EngineDeps, { id, fence }: Task): Promise<void> {
  await store.tasks.change(scope, id, (task, now) =>
    task.fence === fence && task.status === 'active' ? { ...releaseTask(task, now), status: 'open' } : task,
  )
}

/** Returns a settled task's folder to the pool, and keeps a waiting task's folder for the human. */
export async function releaseFolder(
  { workspaces }: EngineDeps,
  build: BuildId,
  { task, phase }: Attempt,
): Promise<void> {
  if (phase.at !== 'settled') return
  const workspace = await workspaces.find(build, task)
  if (workspace !== null) await workspaces.release(workspace)
}
