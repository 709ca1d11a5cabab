// What agents used, session by session. Tokens are counted; a price is known only where an agent named one.
import type { AgentId, BuildId, Instant, TaskId } from '../values/id.ts'

export interface Used {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null: the agent does not report its cost. */
  readonly costUsd: number | null
}

export const NOTHING: Used = { inputTokens: 0, outputTokens: 0, costUsd: null }

/** Identifies a session and its loop. */
export interface SessionMark {
  readonly build: BuildId
  /** Null: the session is about the build as a whole, such as its plan. */
  readonly task: TaskId | null
  readonly attempt: number
  readonly iteration: number
  readonly role: string
  readonly agent: string
  readonly loop: AgentId
}

/** One session as the store keeps it. */
export interface SessionSpending extends SessionMark {
  /** `lost`: its loop was killed, so only the last reported use is known. */
  readonly state: 'open' | 'settled' | 'lost'
  readonly startedAt: Instant
  readonly durationMs: number
  readonly used: Used
  /** Why it did not end by itself. */
  readonly failure: string | null
}

/** The use of several sessions together. */
export interface SpentTogether extends Used {
  readonly sessions: number
  readonly agentMs: number
  /** Sessions that worked and named no price: `costUsd` does not include their cost. */
  readonly unpriced: number
}

export function tokensOf({ inputTokens, outputTokens }: Used): number {
  return inputTokens + outputTokens
}

/** A price that no agent named stays unknown and does not become 0. */
export function addUsed(one: Used, other: Used): Used {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null && other.costUsd === null ? null : toMicro((one.costUsd ?? 0) + (other.costUsd ?? 0)),
  }
}

export function sumSpending(
  sessions: readonly Pick<SessionSpending, 'used' | 'durationMs' | 'failure'>[],
): SpentTogether {
  return {
    ...sessions.reduce((all, { used }) => addUsed(all, used), NOTHING),
    sessions: sessions.length,
    agentMs: sessions.reduce((all, { durationMs }) => all + durationMs, 0),
    unpriced: sessions.filter(isUnpriced).length,
  }
}

/** A session that was refused before it did anything cost nothing. */
function isUnpriced({ used, failure }: Pick<SessionSpending, 'used' | 'failure'>): boolean {
  return used.costUsd === null && !(tokensOf(used) === 0 && isTurnedAway(failure))
}

const TURNED_AWAY: readonly string[] = ['rateLimit', 'overload', 'auth', 'billing', 'notFound', 'unknownCommand']

/** Failures that come before any work: without tokens they used none. */
export function isTurnedAway(failure: string | null): boolean {
  return failure !== null && TURNED_AWAY.includes(failure)
}

/** Agents print sums of binary fractions: a millionth of a dollar is exact enough, and adds up. */
export function toMicro(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

/** `$12.34`; to the hundredth of a cent where it is less than a cent. */
export function formatUsd(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

export function formatTokens(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} ${tokens === 1 ? 'token' : 'tokens'}`
}

/** `12,345 tokens, $0.12`; without a price only the tokens; '' where nothing was reported. */
export function formatUsed(used: Used): string {
  const tokens = tokensOf(used)
  const parts = [
    ...(tokens === 0 ? [] : [formatTokens(tokens)]),
    ...(used.costUsd === null ? [] : [formatUsd(used.costUsd)]),
  ]
  return parts.join(', ')
}
