// The outcome of one run of a build. A run that started sessions and merged nothing did not end well, even where it
// ended within its bounds: the exit code must say so.
import type { DoneReason } from './done-reason.ts'
import type { Fact } from '../fact/fact.ts'
import type { Instant } from '../values/id.ts'

export interface RunTally {
  /** Sessions of implementers. */
  readonly sessions: number
  readonly merged: number
  /** Who took a task away while an agent worked on it; one entry for each time. */
  readonly lostTo: readonly string[]
  /** The agent that was limited last, unless a session has ended by itself since. */
  readonly limited: { readonly agent: string; readonly until: Instant } | null
}

export const NOTHING_YET: RunTally = { sessions: 0, merged: 0, lostTo: [], limited: null }

export function addToTally(tally: RunTally, fact: Fact): RunTally {
  switch (fact.type) {
    case 'iterationStarted':
      return { ...tally, sessions: tally.sessions + 1 }
    case 'iterationDone':
      return { ...tally, limited: null }
    case 'merged':
      return { ...tally, merged: tally.merged + 1 }
    case 'limited':
    case 'waiting':
    case 'planningLimited':
    case 'agentLimited':
      return { ...tally, limited: { agent: fact.agent, until: fact.until } }
    default:
      return tally
  }
}

/** The time of the run is over, or would be over before the agent can work again. */
export interface TimeBound {
  readonly until: Instant
  readonly limitedUntil?: Instant
}

/** How a run ended that ended within its bounds. */
export interface BoundedEnd {
  readonly reason: DoneReason
  readonly bound?: TimeBound
}

const GO_ON = "'ralph build' goes on."

/** Why the run achieved nothing; null: it did achieve something, or could not. `clock` formats a time. */
export function whyFruitless(end: BoundedEnd, tally: RunTally, clock: (at: Instant) => string): string | null {
  const { bound } = end
  const isBound =
    bound !== undefined || end.reason === 'MaxIterationsReached' || end.reason === 'SingleIterationComplete'
  if (tally.merged > 0 || !isBound) return null
  const limitedUntil = bound?.limitedUntil ?? tally.limited?.until
  if (bound !== undefined && limitedUntil !== undefined) {
    const agent = tally.limited?.agent ?? 'the agent'
    return `${agent} was limited until ${clock(limitedUntil)}; nothing was merged before ${clock(bound.until)}. ${GO_ON}`
  }
  if (tally.sessions === 0) return null
  const begun = `${tally.sessions} ${tally.sessions === 1 ? 'session was' : 'sessions were'} started and nothing was merged`
  if (tally.lostTo.length > 0) return `${begun}: ${lostText(tally)}`
  return bound === undefined ? null : `${begun} before ${clock(bound.until)}. ${GO_ON}`
}

function lostText({ sessions, lostTo }: RunTally): string {
  const who = [...new Set(lostTo)]
  const which =
    lostTo.length >= sessions
      ? `${sessions === 1 ? 'its lease was' : 'their leases were'}`
      : `${lostTo.length} of their leases ${lostTo.length === 1 ? 'was' : 'were'}`
  const other = who.length === 1 ? 'another loop' : 'other loops'
  return `${which} lost to ${other} (${who.join(', ')}). See that the clocks of all machines are right, or end the other loop; then ${GO_ON}`
}
