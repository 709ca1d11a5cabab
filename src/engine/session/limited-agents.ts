// Which agents cannot work now. All loops of an engine share this, so that no loop starts a session of an agent that
// has just failed for another loop.
import type { Agent, FailureKind } from '../../agents/agent.ts'
import type { Outage } from '../../core/session/fallback.ts'
import type { Instant } from '../../core/values/id.ts'

export interface KnownOutage extends Outage {
  readonly kind: FailureKind
  /** How often in a row the agent could not work. */
  readonly failuresInRow: number
  /** The replacements that were announced for it, as `build role agent`. */
  readonly announced: Set<string>
}

type Outages = WeakMap<Agent, KnownOutage>

export function noteOutage(
  outages: Outages,
  agent: Agent,
  outage: Omit<KnownOutage, 'failuresInRow' | 'announced'>,
  now: Instant,
): KnownOutage {
  const known = outages.get(agent)
  if (known !== undefined && known.until > now && known.until >= outage.until) return known
  const noted = {
    ...outage,
    failuresInRow: (known?.failuresInRow ?? 0) + 1,
    announced: known?.announced ?? new Set<string>(),
  }
  outages.set(agent, noted)
  return noted
}

/** Null: as far as we know, the agent can work. */
export function outageOf(outages: Outages, agent: Agent, now: Instant): KnownOutage | null {
  const known = outages.get(agent)
  return known === undefined || known.until <= now ? null : known
}

/** A session that began before another one met a limit says nothing about that limit. */
export function noteWorked(outages: Outages, agent: Agent, now: Instant): void {
  if (outageOf(outages, agent, now) === null) outages.delete(agent)
}
