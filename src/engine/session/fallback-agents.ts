// The agents that may take a role, in order, and the announcement when another than the first works.
import type { Agent, Role } from '../../agents/agent.ts'
import { MEND_PAUSE_MS } from '../../core/session/fallback.ts'
import type { BuildFact } from '../../core/fact/fact.ts'
import type { BuildId } from '../../core/values/id.ts'
import { patience } from '../../core/money/limit-waits.ts'
import { isTurnedAway } from '../../core/money/spending.ts'
import { type KnownOutage, noteOutage, noteWorked, outageOf } from './limited-agents.ts'
import type { SessionFailure } from './session-budget.ts'
import type { SessionRequestContext, EngineDeps } from '../deps.ts'

type Crew = Pick<EngineDeps, 'agents' | 'fallbacks' | 'agentFor'>
type Clocked = Pick<EngineDeps, 'memory' | 'now'>

/** First the agent that SIA chose for the task, then the agent of the role, then its fallbacks. */
export function orderOf(
  { agents, fallbacks = [], agentFor }: Crew,
  role: Role,
  worker?: SessionRequestContext['attempt']['worker'],
): Agent[] {
  const chosen = role === 'implementer' && worker !== undefined ? (agentFor?.(worker) ?? null) : null
  return [...new Set([...(chosen === null ? [] : [chosen]), agents[role], ...fallbacks])]
}

/** Whether no other agent could take the role now. */
export function isAlone({ memory, now }: Clocked, order: readonly Agent[], name: string): boolean {
  if (!order.some((agent) => agent.name === name)) return false
  return order.every((agent) => agent.name === name || outageOf(memory.outages, agent, now()) !== null)
}

/** Remembers what a session showed about its agent. */
export function noteOutcome({ memory, now: clock }: Clocked, agent: Agent, failure: SessionFailure | null): void {
  const { outages } = memory
  const now = clock()
  if (failure === null || failure.kind === 'budget' || !isTurnedAway(failure.kind))
    return noteWorked(outages, agent, now)
  const { kind, sentence, until: told } = failure
  const mend = { is: 'mend', kind, reason: sentence, until: now + MEND_PAUSE_MS } as const
  if (kind !== 'rateLimit' && kind !== 'overload') {
    noteOutage(outages, agent, mend, now)
    return
  }
  const waits = outages.get(agent)?.failuresInRow ?? 0
  const found = patience({ kind, agent: agent.name, sentence, until: told, waits }, now, Math.random())
  if (found.is === 'give-up') noteOutage(outages, agent, { ...mend, until: Math.max(told ?? 0, mend.until) }, now)
  else
    noteOutage(
      outages,
      agent,
      { is: 'limit', kind, reason: sentence, until: told !== null && told > now ? told : found.until },
      now,
    )
}

/** Announces which agent works in whose place, once for each outage, and when the first one is back. */
export async function announceAgent(
  requestContext: SessionRequestContext,
  role: Role,
  order: readonly Agent[],
  agent: Agent,
): Promise<string | null> {
  const { now, memory } = requestContext.engine
  const [first = agent] = order
  const outage = memory.outages.get(first)
  if (outage === undefined) return null
  const build =
    requestContext.agentId === undefined ? null : (requestContext.account ?? (requestContext.build as BuildId))
  const about = `${build} ${role}`
  if (agent === first) {
    const told = [...outage.announced].filter((key) => key.startsWith(`${about} `))
    if (outage.until > now() || told.length === 0) return null
    for (const key of told) outage.announced.delete(key)
    await record(requestContext.engine, build, { type: 'agentReturned', role, agent: first.name })
    return `${first.name} works again`
  }
  const key = `${about} ${agent.name}`
  if (outage.announced.has(key)) return null
  outage.announced.add(key)
  const { reason, until } = outage
  const said = { role, agent: first.name, by: agent.name, reason, until }
  await record(requestContext.engine, build, { type: 'agentReplaced', ...said })
  if (build !== null) await requestContext.engine.store.builds.keep(build, [{ kind: 'outage', ...said, is: outage.is }])
  return `${first.name} cannot work (${reason}): ${agent.name} works in its place`
}

async function record({ store, watcher }: EngineDeps, build: BuildId | null, fact: BuildFact): Promise<void> {
  if (build !== null) await store.builds.note(build, fact)
  watcher.fact(fact)
}

/** Reads what an earlier loop found out about the agents of this build. */
export async function readOutages({ engine, agentId, account, build: name }: SessionRequestContext): Promise<void> {
  const { agents, fallbacks = [], store, now, memory } = engine
  if (fallbacks.length === 0 || agentId === undefined) return
  const build = account ?? (name as BuildId)
  if (memory.outagesRead.has(build)) return
  memory.outagesRead.add(build)
  // The operator says that all limits are over.
  if (engine.isLifted !== undefined) return
  const crew = [...new Set([...Object.values(agents), ...fallbacks])]
  for (const kept of await store.builds.attachments(build, 'outage')) {
    const { role, by, is, reason, until } = kept
    const agent = crew.find((one) => one.name === kept.agent)
    if (until <= now()) continue
    // The operator may have fixed it before this start, so it is tried.
    if (is === 'mend' || agent === undefined) await store.builds.keep(build, [{ ...kept, until: now() }])
    else
      noteOutage(memory.outages, agent, { is, kind: 'rateLimit', reason, until }, now()).announced.add(
        `${build} ${role} ${by}`,
      )
  }
}

/** The failure of a session that no agent can run now. */
export function failureOfOutages(
  all: readonly { readonly agent: Agent; readonly outage: KnownOutage }[],
): SessionFailure {
  const [first, ...rest] = all
  const kind = first?.outage.kind ?? 'notFound'
  const sentences = all.map(({ agent, outage }) => `${agent.name}: ${outage.reason}`)
  const sentence = rest.length === 0 ? (first?.outage.reason ?? '') : `no agent can work: ${sentences.join('; ')}`
  return { kind, sentence, until: null }
}
