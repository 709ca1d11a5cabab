// Reads from the store what the file shows.
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { ProgressFile } from '../../core/progress/progress-file.ts'
import type { Task } from '../../core/task/task.ts'
import type { Scope, Store } from '../../store/store.ts'
import type { Stop } from '../stop.ts'
import { isVerified, type StoreFacts } from './rendering.ts'

const IDS_NAMED_MAX = 10

export async function knownOf(store: Store, scope: Scope, build: BuildId, file: ProgressFile): Promise<StoreFacts> {
  const attempts = await store.builds.attempts(build)
  const listed = file.tasks.map(({ id }) => id)
  const parts = [...attempts.values()].flatMap(partsOf)
  const tasks = await store.tasks.list(scope, { ids: [...new Set([...listed, ...attempts.keys(), ...parts])] })
  return {
    tasks: new Map(tasks.map((task) => [task.id, task])),
    attempts,
    iterations: await store.builds.attachments(build, 'iteration'),
  }
}

function partsOf({ phase }: Attempt): readonly TaskId[] {
  return phase.at === 'settled' && phase.as.is === 'split' ? phase.as.subtasks.map(({ id }) => id) : []
}

/**
 * Somebody claims that all is done. Either that is true, or the stop names the tasks without evidence. No tasks at all
 * is never complete.
 */
export function stopSaid(tasks: readonly Task[], build: BuildId, spec: string): Stop {
  const isOurs = (task: Task): boolean => task.build === build || task.spec === spec
  const ours = tasks.filter((task) => isOurs(task) && task.status !== 'deleted' && task.status !== 'split')
  const unverified = ours.filter((task) => !isVerified(task)).map(({ id }) => id)
  if (ours.length > 0 && unverified.length === 0) return { reason: 'RalphDoneMarker' }
  const more = unverified.length - IDS_NAMED_MAX
  const named = unverified.slice(0, IDS_NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const what = ours.length === 0 ? 'There is no task that was verified' : `Not verified: ${named}`
  return { reason: 'UnverifiedDone', detail: `${what}; take RALPH_DONE out of ${spec} to go on.` }
}
