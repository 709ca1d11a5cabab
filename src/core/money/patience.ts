// How long a limit or an overload is waited for, and when it is not. Both are nobody's fault and cost no attempt.
import type { Instant } from '../values/id.ts'
import { formatInstant } from '../values/instant.ts'

export interface Hindrance {
  readonly kind: 'rateLimit' | 'overload'
  readonly agent: string
  /** What the agent said of it. */
  readonly sentence: string
  /** When it is over, if the agent said so. */
  readonly until: Instant | null
  /** How often in a row it was waited for before. */
  readonly waits: number
}

export type Patience =
  | { readonly is: 'wait'; readonly until: Instant }
  /** Waiting on would only look like working. */
  | { readonly is: 'give-up'; readonly why: string }

/** Doubled with every wait in a row. A limit of use lasts, an overload passes. */
const PAUSES_MS = {
  rateLimit: { first: 60_000, most: 1_800_000 },
  overload: { first: 5_000, most: 600_000 },
} as const

/** With pauses of up to 10 minutes some 5 hours: an outage in the night is survived, one that stays is told. */
export const WAITS_MAX = 40
/** The longest limits that agents have are weekly. */
export const WAIT_MAX_MS = 8 * 86_400_000
/** A time that is told is believed so often in a row; after that it is no shorter than the pause would be. */
const BELIEVED_TIMES = 3
/** Loops that wait for the same moment come back spread over this much after it. */
const SPREAD = { share: 0.05, mostMs: 10_000 } as const

/** `chance`: from 0 to 1, so that many loops do not come back at the same moment. */
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
  // A reset that is over already was no help: the agent is limited all the same.
  if (until === null || until <= now) return { is: 'wait', until: Math.ceil(now + pause) }
  const told = until + chance * Math.min(SPREAD.mostMs, SPREAD.share * (until - now))
  return { is: 'wait', until: Math.ceil(waits < BELIEVED_TIMES ? told : Math.max(told, now + pause)) }
}

function pauseAfter(kind: Hindrance['kind'], waits: number): number {
  const { first, most } = PAUSES_MS[kind]
  return Math.min(most, first * 2 ** Math.min(waits, 30))
}
