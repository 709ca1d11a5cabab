// What the verbs of a repository stand at, for as long as the process serves it.
import { openLoops } from '../serve/loops.ts'
import { oneAtATime, openIdeaWork } from '../serve/idea-worker.ts'
import { shareChanges } from '../feed/shared-changes.ts'
import type { Site } from '../serve/served-repository.ts'
import type { Desk } from './verbs.ts'

/** Whoever waits for changes of its store, until it is stopped, has one watch together with all others. */
export function deskOf(own: Site, stopping: AbortSignal): Desk {
  const shared = shareChanges(own.desk.store)
  const site = { ...own, desk: { ...own.desk, store: { ...own.desk.store, changes: shared.changes } } }
  stopping.addEventListener('abort', shared.end)
  const alone = oneAtATime()
  const loops = openLoops(site, (build) => void ideas.advance(build))
  const ideas = openIdeaWork(site, loops, alone, stopping)
  return { site, loops, ideas, alone, stopping }
}

/** Everything is saved and given back when it resolves. */
export async function endDesks(desks: readonly Desk[]): Promise<void> {
  await Promise.all(desks.map(({ loops }) => loops.stop()))
  await Promise.all(desks.map(({ ideas }) => ideas.stop()))
}
