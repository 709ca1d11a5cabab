// What a program does when an idea's move starts something.
import type { BuildSession } from '../operations/read/build-session.ts'
import { findBuild } from '../operations/builds/builds.ts'
import type { IdeaActions } from '../operations/ideas/move-idea.ts'
import { shipActions, specifyAt } from '../operations/serve/idea-actions.ts'
import { type OpenPlace, servedRepositoryOf } from './place.ts'

/** Starts builds. */
export interface Starter {
  because(ideaId: string, why: { readonly by: string; readonly reason: string }): void
  startBuild(ideaId: string): Promise<BuildSession>
}

/** `signal` stops the planner. */
export function libraryIdeaActions(place: OpenPlace, starter: Starter, signal: AbortSignal): IdeaActions {
  const servedRepo = servedRepositoryOf(place)
  return {
    specify: (idea) => specifyAt(servedRepo, idea, null, signal),
    build: async ({ id }, why) => {
      starter.because(id, why)
      const session = await starter.startBuild(id)
      return findBuild(place.context, session.id)
    },
    // Shipping is not stopped in the middle.
    ...shipActions(servedRepo, new AbortController().signal),
  }
}
