// Tasks that went away while their build was there: somebody took the line out of the progress file, deleted the task, or
// took over a plan without it. That is a person's right. Where an agent of the build was at work at that moment, nobody
// knows that it was a person: then it counts as skipped.
import type { BuildId, Instant, TaskId } from '../values/id.ts'
import type { SessionSpending } from '../money/spending.ts'
import type { Task } from '../task/task.ts'

export interface RemovedTask {
  readonly id: TaskId
  readonly title: string
  readonly at: Instant
  /** Whether an agent of the build worked then. */
  readonly during: 'session' | 'pause'
}

/** What a session started may write a moment after its end, and its length is measured without what came before it. */
const AFTERWARDS_MS = 2_000

type Session = Pick<SessionSpending, 'task' | 'state' | 'startedAt' | 'durationMs'>

/** In the order in which they went. A deleted task keeps the build that had it, and is not changed any more. */
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

/** One whose loop was killed is known to be over when its task is worked on again. */
function endOf({ task, state, startedAt, durationMs }: Session, all: readonly Session[]): Instant {
  if (state === 'settled') return startedAt + durationMs + AFTERWARDS_MS
  const later = all.filter((other) => other.task === task && other.startedAt > startedAt)
  return Math.min(Infinity, ...later.map((other) => other.startedAt))
}

/** `'pay' Take payments, 'mail' Send mail` */
export function removedText(removed: readonly { readonly id: string; readonly title: string }[]): string {
  return removed.map(({ id, title }) => `'${id}' ${title}`).join(', ')
}
