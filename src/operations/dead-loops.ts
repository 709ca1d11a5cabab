// A loop that was killed still holds its lease, for up to a minute. On its own machine it can be seen that it is gone.
import type { BuildId, Instant } from '../core/id.ts'
import { released, type Task } from '../core/task.ts'
import type { Agent } from '../store/store.ts'
import type { BuildDesk } from './builds.ts'

/** Whether a loop has the task, as far as can be known from this machine. */
export function isHeld(task: Task, loops: readonly Agent[], hostname: string, now: Instant): boolean {
  const isLeased = task.status === 'active' && (task.leaseExpiresAt ?? 0) > now
  return (
    isLeased &&
    !isDead(
      loops.find(({ id }) => id === task.assignee),
      hostname,
    )
  )
}

/** Frees the tasks of a build whose loop is dead, so that nobody waits for the end of its lease. */
export async function freeDeadLoops(
  { store, scope }: Pick<BuildDesk, 'store' | 'scope'>,
  build: BuildId,
  hostname: string,
): Promise<void> {
  const active = (await store.tasks.list(scope, { statuses: ['active'] })).filter((task) => task.build === build)
  if (active.length === 0) return
  const loops = await store.agents.list()
  for (const { id, assignee, fence } of active) {
    const loop = loops.find((one) => one.id === assignee)
    if (loop === undefined || !isDead(loop, hostname)) continue
    await store.tasks.change(scope, id, (task, now) =>
      task.fence === fence && task.status === 'active' ? { ...released(task, now), status: 'open' } : task,
    )
    await store.agents.deregister(loop.id).catch(() => {})
  }
}

/** Whoever did not announce itself, or lives elsewhere, may be alive. */
function isDead(loop: Agent | undefined, hostname: string): boolean {
  return loop !== undefined && loop.hostname === hostname && !isAlive(loop.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
