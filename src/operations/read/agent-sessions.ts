// Every agent session of a build, of whichever role, with what it used. One that was asked again, or that another agent
// went on with, is one session with one transcript.
import type { BuildId, TaskId } from '../../core/values/id.ts'
import { sessionName } from '../../core/session/session-name.ts'
import { addUsed, NOTHING, type SessionSpending } from '../../core/money/spending.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { WireSession } from '../contract/task-detail.ts'
import { type AgentSession, agentSession } from './transcript-file.ts'

export interface ShownSession extends WireSession {
  readonly state: SessionSpending['state']
}

/** In the order in which they began; `only`: those about this task. */
export async function agentSessions(
  { store }: Pick<BuildContext, 'store'>,
  build: BuildId,
  only?: TaskId,
): Promise<ShownSession[]> {
  const named = (await store.spending.list(build)).flatMap((one) => {
    const session = only === undefined || one.task === only ? agentSession(build, one) : null
    return session === null ? [] : [{ session, one, id: sessionName(session) }]
  })
  return [...Map.groupBy(named, ({ id }) => id)].map(([id, [first, ...others]]) => {
    const { session, one } = first as (typeof named)[number]
    return shown(id, session, one, [one, ...others.map((other) => other.one)])
  })
}

function shown(
  id: string,
  session: AgentSession,
  first: SessionSpending,
  turns: readonly SessionSpending[],
): ShownSession {
  const { attempt, iteration, agent, state, failure } = turns.at(-1) ?? first
  return {
    id,
    taskId: session.of === 'task' ? session.task : null,
    attempt,
    iteration,
    role: session.of === 'task' ? session.role : 'planner',
    agent,
    startedAt: first.startedAt,
    durationMs: turns.reduce((all, { durationMs }) => all + durationMs, 0),
    ...turns.reduce((all, { used }) => addUsed(all, used), NOTHING),
    failure,
    state,
  }
}
