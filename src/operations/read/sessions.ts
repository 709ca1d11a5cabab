// The agent sessions of a build, of every role: one list, from which each face shows its part. A session that was asked
// again, or that another agent went on with, is one session with one transcript.
import { existsSync } from 'node:fs'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import { addUsed, NOTHING, type SessionSpending } from '../../core/money/spending.ts'
import { type NamedSession, sessionName, transcriptName } from '../../core/session/session-name.ts'
import type { BuildId, Instant, TaskId } from '../../core/values/id.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { WireSession } from '../contract/task-detail.ts'

export type AgentSession = Exclude<NamedSession, { of: 'idea' }>

export interface SessionEntry {
  readonly id: string
  readonly session: AgentSession
  /** What each agent used that worked in it, oldest first. */
  readonly turns: readonly SessionSpending[]
  /** Null where it is no iteration, or an iteration that never ended. */
  readonly record: IterationRecord | null
}

/** In the order in which they began; `only`: those about this task. A session that chose no task has no name. */
export async function sessionsOf(
  { store }: Pick<BuildContext, 'store'>,
  build: BuildId,
  only?: TaskId,
): Promise<SessionEntry[]> {
  const [spending, records] = await Promise.all([
    store.spending.list(build),
    store.builds.attachments(build, 'iteration', only),
  ])
  const named = spending.flatMap((turn) => {
    const session = only === undefined || turn.task === only ? paidSession(build, turn) : null
    return session === null ? [] : [{ session, turn, id: sessionName(session) }]
  })
  const ended = new Map(records.map((record) => [sessionName(iterationSession(build, record)), record]))
  const byId = Map.groupBy(named, ({ id }) => id)
  const paid = [...byId].flatMap(([id, turns]) => {
    const session = turns[0]?.session
    if (session === undefined) return []
    return [{ id, session, turns: turns.map(({ turn }) => turn), record: ended.get(id) ?? null }]
  })
  // A store may hold iterations from before it recorded what sessions use.
  const unpaid = [...ended].flatMap(([id, record]) =>
    byId.has(id) ? [] : [{ id, session: iterationSession(build, record), turns: [], record }],
  )
  return unpaid.length === 0 ? paid : [...paid, ...unpaid].toSorted((one, other) => startOf(one) - startOf(other))
}

function startOf({ turns, record }: SessionEntry): Instant {
  return turns[0]?.startedAt ?? record?.startedAt ?? 0
}

/** Null: a session that chose no task. */
function paidSession(build: BuildId, { task, attempt, iteration, role }: SessionSpending): AgentSession | null {
  if (task === null) return role === 'planner' ? { of: 'build', build, attempt, iteration } : null
  return role === 'implementer' || role === 'reviewer' || role === 'sia'
    ? { of: 'task', build, task, attempt, iteration, role }
    : null
}

function iterationSession(build: BuildId, { task, attempt, iteration }: IterationRecord): AgentSession {
  return { of: 'task', build, task, attempt, iteration, role: 'implementer' }
}

/** The name of an iteration, which is the name of its implementer's session. */
export function iterationName(build: BuildId, record: IterationRecord): string {
  return sessionName(iterationSession(build, record))
}

export interface ShownSession extends WireSession {
  readonly state: SessionSpending['state']
}

/** On the wire, with what the session used. */
export function shownSession({ id, session, turns }: SessionEntry): ShownSession[] {
  const [first, last] = [turns[0], turns.at(-1)]
  if (first === undefined || last === undefined) return []
  const { attempt, iteration, agent, state, failure } = last
  return [
    {
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
    },
  ]
}

export interface TranscribedSession extends Pick<SessionEntry, 'session' | 'record'> {
  /** The file of its events, as JSON lines. */
  readonly transcript: string
}

/**
 * Planners first; then each iteration, followed by what other roles were asked about it; then iterations that were cut off.
 * `fileOf`: the file that a transcript of this name is in, whether or not it is there.
 */
export async function transcribedSessions(
  entries: readonly SessionEntry[],
  fileOf: (name: string) => Promise<string>,
): Promise<TranscribedSession[]> {
  const all = await Promise.all(
    entries.map(async ({ session, record }) => {
      const transcript = record?.transcript ?? (await fileOf(transcriptName(session)))
      return { session, record, transcript }
    }),
  )
  const kept = all.filter(({ record, transcript }) => record !== null || existsSync(transcript))
  const groups = Map.groupBy(kept, ({ session }) =>
    session.of === 'build' ? 'planning' : `${session.task} ${session.attempt}.${session.iteration}`,
  )
  return [...groups.values()].toSorted((one, other) => rankOf(one) - rankOf(other)).flat()
}

function rankOf(group: readonly TranscribedSession[]): number {
  if (group.some(({ session }) => session.of === 'build')) return 0
  return group.some(({ record }) => record !== null) ? 1 : 2
}
