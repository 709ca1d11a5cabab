// The agent session that runs now: it may have a transcript, and has no record yet.
import { asksReviewer } from '../../core/attempt/review.ts'
import type { Config } from '../../config/settings/config.ts'
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { EvidenceRecord } from '../../core/builds/attachment.ts'
import type {
  BuildPlanning,
  IdeaPlanning,
  NamedSession,
  TaskRole,
  TaskSession,
} from '../../core/session/session-name.ts'
import { type BuildContext, frozenOf } from '../builds/builds.ts'
import { isPlannedNow } from '../tasks/task-holder.ts'
import { plannedSince } from '../ideas/planning-now.ts'

export interface RunningSession {
  readonly attempt: number
  readonly iteration: number
  readonly role: TaskRole
}

/** What decides whether the reviewer is asked at all. */
export interface ReviewGrounds {
  readonly when: Config['review']['when']
  /** The evidence of the task. */
  readonly evidence: readonly EvidenceRecord[]
}

/** Null where no agent works on the task, although a loop holds it. */
export function sessionNow(
  { phase, number: attempt, iteration }: Attempt,
  { when, evidence }: ReviewGrounds,
): RunningSession | null {
  switch (phase.at) {
    case 'working':
      return { attempt, iteration: iteration + 1, role: 'implementer' }
    case 'reviewing': {
      const reviewed = evidence.find(({ id }) => id === phase.evidence)?.evidence ?? { findings: [] }
      return asksReviewer(when, reviewed) ? { attempt, iteration, role: 'reviewer' } : null
    }
    case 'objecting':
      return when === 'never' ? null : { attempt, iteration, role: 'reviewer' }
    case 'intervening':
      return { attempt, iteration, role: 'sia' }
    case 'verifying':
    case 'merging':
    case 'escalating':
    case 'limited':
    case 'waiting':
    case 'settled':
      return null
  }
}

/** Whatever is written after this becomes false is not part of the session. */
export async function isRunning(context: BuildContext, session: NamedSession): Promise<boolean> {
  switch (session.of) {
    case 'task':
      return isTaskSessionRunning(context, session)
    case 'build':
      return isBuildPlanned(context, session)
    case 'idea':
      return isIdeaPlanned(context, session)
  }
}

async function isTaskSessionRunning(context: BuildContext, { build, task, ...session }: TaskSession): Promise<boolean> {
  const { store, scope } = context
  const [attempt, found] = await Promise.all([store.builds.attempt(build, task), store.tasks.find(scope, task)])
  if (attempt === null || found?.status !== 'active') return false
  const isOther = session.attempt !== attempt.number || session.role !== roleIn(attempt)
  if (isOther) return false
  const evidence = session.role === 'reviewer' ? await store.builds.attachments(build, 'evidence', task) : []
  const { config } = await frozenOf(context, build)
  const now = sessionNow(attempt, { when: config.review.when, evidence })
  return now?.iteration === session.iteration
}

/** The possible role; whether the reviewer is asked at all depends on more. */
function roleIn({ phase }: Attempt): TaskRole | null {
  if (phase.at === 'working') return 'implementer'
  if (phase.at === 'intervening') return 'sia'
  return phase.at === 'reviewing' || phase.at === 'objecting' ? 'reviewer' : null
}

async function isBuildPlanned({ store, now }: BuildContext, session: BuildPlanning): Promise<boolean> {
  const { build, attempt, iteration } = session
  const [planning] = await store.builds.attachments(build, 'planning')
  if (planning?.attempt !== attempt) return false
  if (!isPlannedNow(planning, await store.agents.list(), now())) return false
  return iteration >= (await lastTurn({ store }, build, attempt))
}

/** The planner's last turn in this try. */
async function lastTurn({ store }: Pick<BuildContext, 'store'>, build: BuildId, attempt: number): Promise<number> {
  const sessions = await store.spending.list(build)
  return sessions.findLast((one) => one.role === 'planner' && one.attempt === attempt)?.iteration ?? 1
}

async function isIdeaPlanned(context: BuildContext, { idea, since }: IdeaPlanning): Promise<boolean> {
  const [found, moves] = await Promise.all([
    context.store.ideas.find(idea),
    context.store.ideas.moves(idea, MOVES_LOOKED_AT),
  ])
  return found !== null && plannedSince(found, moves) === since
}

/** A planner reports each note as a move. More than this does not happen in one planning. */
const MOVES_LOOKED_AT = 1_000
