// Whether a server's planner is at an idea now, as its moves tell.
import type { Instant } from '../../core/values/id.ts'
import type { Idea, IdeaMove } from '../../core/idea/idea.ts'

/** Who moves an idea where a planner does. */
export const PLANNER = 'planner'

/** A move of an idea within its phase says that a server's planner is at it, for the server that comes after a kill. */
export const AT_WORK = 'ralph serve lets the planner write the spec'

/** Null: no planner of a server is at it. */
export function plannedSince({ phase }: Pick<Idea, 'phase'>, moves: readonly IdeaMove[]): Instant | null {
  const last = moves.at(-1)
  if (phase !== 'specification' || last?.by !== PLANNER) return null
  return moves.findLast(({ by, reason }) => by === PLANNER && reason === AT_WORK)?.at ?? last.at
}
