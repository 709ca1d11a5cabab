// Planners of a server that write specs of ideas, beside its loops.
import type { IdeaId } from '../../core/values/id.ts'
import type { Idea } from '../../core/idea/idea.ts'
import { findIdea } from '../ideas/ideas.ts'
import { writeSpec } from '../ideas/move-idea.ts'
import { AT_WORK, PLANNER } from '../ideas/planning-now.ts'
import type { ServedRepository } from './served-repository.ts'
import { specifyAt } from './idea-actions.ts'

export interface Planners {
  /** Resolves when the store says that the planner is at work. */
  readonly begin: (idea: Idea, agent: string | null) => Promise<void>
  readonly ended: () => Promise<void>
}

export function openPlanners(servedRepo: ServedRepository, stopping: AbortSignal): Planners {
  const { context } = servedRepo
  const under = new Map<IdeaId, { readonly over: AbortController; readonly ended: Promise<void> }>()
  return {
    begin: async (idea, agent) => {
      const before = under.get(idea.id)
      before?.over.abort()
      await before?.ended
      const mark = { to: 'specification', by: PLANNER, reason: AT_WORK } as const
      const marked = await context.store.ideas.move(idea.id, 'specification', mark)
      if (marked === null) return
      const over = new AbortController()
      const ended = plan(servedRepo, marked, agent, over, stopping)
        .catch((error: unknown) => servedRepo.note(`idea ${idea.id}: ${String(error)}`))
        .finally(() => {
          if (under.get(idea.id)?.over === over) under.delete(idea.id)
        })
      under.set(idea.id, { over, ended })
    },
    ended: async () => {
      await Promise.all([...under.values()].map(({ ended }) => ended))
    },
  }
}

/** A stopped planner leaves the idea as it is; a planner without a spec leaves it failed, with the reason. */
async function plan(
  servedRepo: ServedRepository,
  idea: Idea,
  agent: string | null,
  over: AbortController,
  stopping: AbortSignal,
): Promise<void> {
  const { context } = servedRepo
  // Shows notes, such as a wait for a limit, to everybody who waits for the plan.
  const note = (reason: string): void => {
    servedRepo.note(reason)
    context.store.ideas.move(idea.id, 'specification', { to: 'specification', by: PLANNER, reason }).catch(() => {})
  }
  const watching = new AbortController()
  const watched = stopWhenMoved(servedRepo, idea.id, over, watching.signal)
  const signal = AbortSignal.any([over.signal, stopping])
  const planning = specifyAt({ ...servedRepo, note }, idea, agent, signal)
  try {
    await planning.catch(() => {})
    watching.abort()
    await watched
    if (!signal.aborted) await writeSpec(context, idea, () => planning)
  } catch (error) {
    servedRepo.note(`idea ${idea.id} has no spec: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** An idea that somebody moves on needs no spec any more. */
async function stopWhenMoved(
  { context, note }: ServedRepository,
  id: IdeaId,
  over: AbortController,
  signal: AbortSignal,
): Promise<void> {
  for await (const _ of context.store.changes(signal)) {
    if ((await findIdea(context, id)).phase === 'specification') continue
    over.abort()
    return note(`idea ${id} was moved, so its planner is stopped`)
  }
}
