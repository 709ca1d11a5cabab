// Tasks that went away while their build was there: somebody took the line out of the progress file, deleted the task, or
// took over a plan without it. That is a person's right. Where an agent of the build was at work at that moment, nobody
// knows that it was a person: then it counts as skipped.
import type { BuildId, Instant, TaskId } from './id.ts'
import type { SessionSpending } from './spending.ts'
import type { Task } from './task.ts'

export interface RemovedTask {
  readonly id: TaskId
  readonly title: string
  readonly at: Instant
  /** Whether an agent of the build worked then. */
  readonly during: 'session' | 'pause'
}

/** What a session started may write a moment after its end, and its length is measured without what came before it. */
const AFTERWARDS_MS = 2_000

type Session = Pick<SessionSpending, 'state' | 'startedAt' | 'durationMs'>

/** In the order in which they went. A deleted task keeps the build that had it, and is not changed any more. */
export function removedTasks(
  tasks: readonly Pick<Task, 'id' | 'title' | 'status' | 'build' | 'updatedAt'>[],
  build: BuildId,
  sessions: readonly Session[],
): RemovedTask[] {
  return tasks
    .filter((task) => task.build === build && task.status === 'deleted')
    .map(({ id, title, updatedAt: at }): RemovedTask => {
      return { id, title, at, during: sessions.some((session) => wasAtWork(session, at)) ? 'session' : 'pause' }
    })
    .toSorted((one, other) => one.at - other.at)
}

/** Of one whose loop was killed nobody knows when it ended. */
function wasAtWork({ state, startedAt, durationMs }: Session, at: Instant): boolean {
  return startedAt <= at && (state !== 'settled' || at <= startedAt + durationMs + AFTERWARDS_MS)
}

/** `'pay' Take payments, 'mail' Send mail` */
export function removedText(removed: readonly { readonly id: string; readonly title: string }[]): string {
  return removed.map(({ id, title }) => `'${id}' ${title}`).join(', ')
}
