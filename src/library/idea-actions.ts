// What a program does where an idea's move starts something.
import { openProofRoom, openEngine } from '../compose.ts'
import type { BuildSession } from '../operations/read/build-session.ts'
import { findBuild } from '../operations/builds/builds.ts'
import type { IdeaActions } from '../operations/ideas/move-idea.ts'
import { shipActions, specifyAt } from '../operations/serve/idea-actions.ts'
import type { OpenPlace } from './place.ts'

/** Who starts builds. */
export interface Starter {
  because(ideaId: string, why: { readonly by: string; readonly reason: string }): void
  startBuild(ideaId: string): Promise<BuildSession>
}

const NOBODY = { fact: () => {}, agent: () => {} }

/** `signal` stops the planner. */
export function libraryIdeaActions(
  { context, folder, env }: OpenPlace,
  starter: Starter,
  signal: AbortSignal,
): IdeaActions {
  const at: Parameters<typeof shipActions>[0] = {
    context,
    root: folder,
    env,
    openEngine: (config, where) => openEngine(folder, env, config, NOBODY, where),
    openProofRoom: (copy) => openProofRoom(folder, env, copy),
    note: (sentence) => process.emitWarning(sentence),
  }
  return {
    specify: (idea) => specifyAt(at, idea, null, signal),
    build: async ({ id }, why) => {
      starter.because(id, why)
      const session = await starter.startBuild(id)
      return findBuild(context, session.id)
    },
    // What is on its way to the base branch is not stopped in the middle.
    ...shipActions(at, new AbortController().signal),
  }
}
