// Tasks that disappeared during a build: somebody removed the line from the progress file, deleted the task, or synced
// a plan without it. People may do that. While an agent of the build worked, nobody knows that it was a person: then
// the task counts as skipped.
import type { BuildId, Instant, TaskId } from '../values/id.ts'
import type { SessionSpending } from '../money/spending.ts'
import type { Task } from '../task/task.ts'

export interface RemovedTask {
  readonly id: TaskId
  readonly title: string
  readonly at: Instant
  /** Whether an agent of the build worked at that moment. */
  readonly during: 'session' | 'pause'
}

/** A process of the session may write a moment after its end, and the measured duration leaves out the start. */
const AFTERWARDS_MS = 2_000

type Session = Pick<SessionSpending, 'task' | 'state' | 'startedAt' | 'durationMs'>

/** In the order of their removal. A deleted task keeps its build and does not change any more. */
export function removedTasks(
  tasks: readonly Pick<Task, 'id' | 'title' | 'status' | 'build' | 'updatedAt'>[],
  build: BuildId,
  sessions: readonly Session[],
): RemovedTask[] {
  return tasks
    .filter((task) => task.build === build && task.status === 'deleted')
    .map(({ id, title, updatedAt: at }): RemovedTask => {
      const isDuring = sessions.some((session) => session.startedAt <= at && at <= endOf(session, sessions))
      return { id, title, at, during: isDuring ? 'session' : 'pause' }
    })
    .toSorted((one, other) => one.at - other.at)
}

/** A session whose loop was killed is over at the latest when another session of its task starts. */
function endOf({ task, state, startedAt, durationMs }: Session, all: readonly Session[]): Instant {
  if (state === 'settled') return startedAt + durationMs + AFTERWARDS_MS
  const later = all.filter((other) => other.task === task && other.startedAt > startedAt)
  return Math.min(Infinity, ...later.map((other) => other.startedAt))
}

/** `'pay' Take payments, 'mail' Send mail` */
export function removedText(removed: readonly { readonly id: string; readonly title: string }[]): string {
  return removed.map(({ id, title }) => `'${id}' ${title}`).join(', ')
}
