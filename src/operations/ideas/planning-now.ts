// Whether a server's planner works on an idea now, derived from the idea's moves.
import type { Instant } from '../../core/values/id.ts'
import type { Idea, IdeaMove } from '../../core/idea/idea.ts'

/** The author of a planner's moves. */
export const PLANNER = 'planner'

/** The reason of a move within the phase. It tells the next server, after a kill, that a planner was at work. */
export const AT_WORK = 'ralph serve lets the planner write the spec'

/** Null: no planner of a server works on it. */
export function plannedSince({ phase }: Pick<Idea, 'phase'>, moves: readonly IdeaMove[]): Instant | null {
  const last = moves.at(-1)
  if (phase !== 'specification' || last?.by !== PLANNER) return null
  return moves.findLast(({ by, reason }) => by === PLANNER && reason === AT_WORK)?.at ?? last.at
}
