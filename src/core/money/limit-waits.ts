// How long to wait for a limit or an overload, and when to give up. Both are nobody's fault and cost no attempt.
import type { Instant } from '../values/id.ts'
import { formatInstant } from '../values/instant.ts'

export interface Hindrance {
  readonly kind: 'rateLimit' | 'overload'
  readonly agent: string
  /** The agent's own words. */
  readonly sentence: string
  /** When it ends, if the agent said so. */
  readonly until: Instant | null
  /** How many waits in a row came before. */
  readonly waits: number
}

export type Patience =
  | { readonly is: 'wait'; readonly until: Instant }
  /** Waiting on would only look like working. */
  | { readonly is: 'give-up'; readonly why: string }

/** Doubles with every wait in a row. A usage limit lasts, an overload passes. */
const PAUSES_MS = {
  rateLimit: { first: 60_000, most: 1_800_000 },
  overload: { first: 5_000, most: 600_000 },
} as const

/** With pauses of up to 10 minutes, some 5 hours: survives an outage in the night, and reports one that stays. */
export const WAITS_MAX = 40
/** The longest limits of agents are weekly. */
export const WAIT_MAX_MS = 8 * 86_400_000
/** How often in a row to believe the time that the agent names; after that it is at least the pause. */
const BELIEVED_TIMES = 3
/** Loops that wait for the same moment resume spread over this much time after it. */
const SPREAD = { share: 0.05, mostMs: 10_000 } as const

/** `chance`: from 0 to 1, so that many loops do not resume at the same moment. */
export function patience(hindrance: Hindrance, now: Instant, chance: number): Patience {
  const { kind, agent, sentence, until, waits } = hindrance
  if (waits >= WAITS_MAX)
    return { is: 'give-up', why: `${agent} could not work ${waits + 1} times in a row: ${sentence}` }
  if (until !== null && until - now > WAIT_MAX_MS)
    return {
      is: 'give-up',
      why: `${agent} says that its limit lasts until ${formatInstant(until)} UTC, longer than the ${WAIT_MAX_MS / 86_400_000} days that are waited: ${sentence}`,
    }
  const pause = pauseAfter(kind, waits) * (0.5 + chance / 2)
  // A reset time in the past did not help: the agent is still limited.
  if (until === null || until <= now) return { is: 'wait', until: Math.ceil(now + pause) }
  const told = until + chance * Math.min(SPREAD.mostMs, SPREAD.share * (until - now))
  return { is: 'wait', until: Math.ceil(waits < BELIEVED_TIMES ? told : Math.max(told, now + pause)) }
}

function pauseAfter(kind: Hindrance['kind'], waits: number): number {
  const { first, most } = PAUSES_MS[kind]
  return Math.min(most, first * 2 ** Math.min(waits, 30))
}
