import type { AgentId, Instant } from '../../core/values/id.ts'
import { isPlanHeld, type Planning } from '../../core/builds/planning.ts'
import { isFree, type Task } from '../../core/task/task.ts'
import type { Agent } from '../../store/store.ts'
import { isKnownGone } from '../../system/known-gone.ts'

/** Whether a loop holds the task. A loop that was killed on this machine does not count. */
export function isHeld(task: Task, loops: readonly Agent[], now: Instant): boolean {
  if (task.status !== 'active' || isFree(task, now, 'loop')) return false
  return isThere(task.assignee, loops)
}

/** The same for the planner of a build. */
export function isPlannedNow(planning: Planning, loops: readonly Agent[], now: Instant): boolean {
  return isPlanHeld(planning, now) && isThere(planning.holder, loops)
}

function isThere(holder: AgentId | null, loops: readonly Agent[]): boolean {
  const loop = loops.find(({ id }) => id === holder)
  return loop === undefined || !isKnownGone(loop)
}
