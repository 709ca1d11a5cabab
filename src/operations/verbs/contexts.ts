// What the verbs of a repository need for as long as the process serves it.
import { openLoops } from '../serve/loops.ts'
import { newMutex } from '../../engine/mutex.ts'
import { openIdeaWork } from '../serve/idea-worker.ts'
import { shareChanges } from '../feed/shared-changes.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import type { VerbContext } from './verbs.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import { BUILDS_KEPT } from '../read/build-state.ts'

/** All who wait for changes of its store share one watch until the process stops. */
export function verbContextOf(own: ServedRepository, stopping: AbortSignal): VerbContext {
  const shared = shareChanges(own.context.store)
  const servedRepo = { ...own, context: { ...own.context, store: { ...own.context.store, changes: shared.changes } } }
  stopping.addEventListener('abort', shared.end)
  const alone = newMutex()
  const loops = openLoops(servedRepo, (build) => void ideas.advance(build))
  const ideas = openIdeaWork(servedRepo, loops, alone, stopping)
  return { servedRepo, histories: new BoundedMap(BUILDS_KEPT), loops, ideas, alone, stopping }
}

/** Resolves when everything has been saved and given back. */
export async function endVerbContexts(contexts: readonly VerbContext[]): Promise<void> {
  await Promise.all(contexts.map(({ loops }) => loops.stop()))
  await Promise.all(contexts.map(({ ideas }) => ideas.stop()))
}
