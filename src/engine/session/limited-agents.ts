// What one loop of this process found out about an agent, for the others: who cannot work is not asked again before its
// time.
import type { Agent, FailureKind } from '../../agents/agent.ts'
import type { Outage } from '../../core/session/fallback.ts'
import type { Instant } from '../../core/values/id.ts'

export interface KnownOutage extends Outage {
  readonly kind: FailureKind
  /** How often in a row it could not work. */
  readonly strikes: number
  /** Who was told of it: see replacement.ts. */
  readonly told: Set<string>
}

const outages = new WeakMap<Agent, KnownOutage>()

export function noteOutage(agent: Agent, outage: Omit<KnownOutage, 'strikes' | 'told'>, now: Instant): KnownOutage {
  const known = outages.get(agent)
  if (known !== undefined && known.until > now && known.until >= outage.until) return known
  const noted = { ...outage, strikes: (known?.strikes ?? 0) + 1, told: known?.told ?? new Set<string>() }
  outages.set(agent, noted)
  return noted
}

/** Null: it can work, as far as is known. */
export function outageOf(agent: Agent, now: Instant): KnownOutage | null {
  const known = outages.get(agent)
  return known === undefined || known.until <= now ? null : known
}

/** Also one that is over. */
export function lastOutage(agent: Agent): KnownOutage | null {
  return outages.get(agent) ?? null
}

/** A session that began before others met a limit says nothing about that. */
export function noteWorked(agent: Agent, now: Instant): void {
  if (outageOf(agent, now) === null) outages.delete(agent)
}
