// What one loop of this process found out about an agent, for the others: who is limited is not asked again before its time.
import type { Agent, Failure } from '../agents/agent.ts'
import type { Instant } from '../core/id.ts'

interface KnownLimit {
  readonly kind: 'rateLimit' | 'overload'
  readonly sentence: string
  readonly until: Instant
}

const limits = new WeakMap<Agent, KnownLimit>()

export function noteLimit(agent: Agent, limit: KnownLimit): void {
  const known = limits.get(agent)
  if (known === undefined || known.until < limit.until) limits.set(agent, limit)
}

/** The failure that a session would end with now; null: it may begin. */
export function knownLimit(agent: Agent, now: Instant): Failure | null {
  const known = limits.get(agent)
  return known === undefined || known.until <= now ? null : known
}
