// A killed loop still holds its lease for up to a minute. Another loop on the same machine can see that it is gone.
import type { BuildId } from '../core/values/id.ts'
import { planningReleased } from '../core/builds/planning.ts'
import { releaseTask } from '../core/task/task.ts'
import type { Scope, Store } from '../store/store.ts'
import type { EngineDeps } from './deps.ts'

type DeathCheck = Pick<EngineDeps, 'isKnownGone'>

/** How soon a waiting loop notices that another one was killed. */
export const LOOK_FOR_THE_DEAD_MS = 2_000

/** Frees the tasks of a dead loop, so that nobody waits for the end of its lease. Keeps its attempts. */
export async function freeDeadLoops(
  {
    store,
    scope,
    isKnownGone,
  }: DeathCheck & { readonly store: Pick<Store, 'tasks' | 'agents'>; readonly scope: Scope },
  build: BuildId,
): Promise<void> {
  const active = (await store.tasks.list(scope, { statuses: ['active'] })).filter((task) => task.build === build)
  if (active.length === 0) return
  const loops = new Map((await store.agents.list()).map((agent) => [agent.id, agent]))
  for (const { id, assignee, fence } of active) {
    const loop = assignee === null ? undefined : loops.get(assignee)
    if (loop === undefined || !isKnownGone(loop)) continue
    await store.tasks.change(scope, id, (task, now) =>
      task.fence === fence && task.status === 'active' ? { ...releaseTask(task, now), status: 'open' } : task,
    )
    // Another loop may have done the same.
    await store.agents.deregister(loop.id).catch(() => {})
  }
}

/** The same for the planner of a build. */
export async function freeDeadPlanner(
  { store, isKnownGone }: DeathCheck & { readonly store: Pick<Store, 'builds' | 'agents'> },
  build: BuildId,
): Promise<void> {
  const [planning] = await store.builds.attachments(build, 'planning')
  if (planning === undefined || planning.holder === null) return
  const loop = (await store.agents.list()).find(({ id }) => id === planning.holder)
  if (loop === undefined || !isKnownGone(loop)) return
  await store.builds.changePlanning(build, (now) =>
    planningReleased(now, planning.fence, { type: 'planningInterrupted', reason: 'the loop that planned was killed' }),
  )
  await store.agents.deregister(loop.id).catch(() => {})
}
