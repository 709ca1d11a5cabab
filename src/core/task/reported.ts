// A task that was reported done outside a build. It is done for people, scripts and other agents at once. For the loops
// of a build it blocks its dependants until the checks were green on HEAD (core/attempt/reported-on-head.ts).
import type { Task } from './task.ts'

/** Whether nothing but a report says that the task is done. */
export function isReported({ status, reportedDone }: Pick<Task, 'status' | 'reportedDone'>): boolean {
  return status === 'done' && reportedDone !== null && reportedDone.verified === undefined
}
