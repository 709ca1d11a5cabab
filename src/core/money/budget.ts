// The ledger of a build's budget. The ledger reserves money before a session starts and settles it when the session has
// ended, so that loops that work at the same time cannot spend the same dollar twice:
//
//   reserve ──> a session starts with its reservation
//      │            │ it uses more: reserve more, while something is left ────┐
//      │            │ <──────────────────────────────────────────────────────┘
//      │            │ nothing is left: the agent is stopped
//      │            └──> settled with its use; or lost with its loop, and charged with its whole reservation
//      └── too little is left: held, while others may still return something; nothing at all: spent
//
// The charge is never less than the known use.
import type { Limits } from '../values/limits.ts'
import { formatTokens, formatUsd, isTurnedAway, toMicro, tokensOf, type Used } from './spending.ts'

export interface Amount {
  readonly usd: number
  readonly tokens: number
}

/** What a build may use in total; null: no limit. */
export interface Budget {
  readonly usd: number | null
  readonly tokens: number | null
}

export const NO_BUDGET: Budget = { usd: null, tokens: null }

/** The rest of the build, as one session sees it. */
export interface Ledger {
  readonly budget: Budget
  /** The charge of all other sessions: their use where they are settled, their reservation where they are open. */
  readonly charged: Amount
  /** How many other sessions are open and may return something. */
  readonly open: number
  /** The charges of the last sessions of the same role. */
  readonly recent: readonly Amount[]
}

/** How many settled sessions of a role predict the need of the next one. */
export const RECENT_MAX = 10

/** For the first session of a role, whose need is unknown; a tenth of a small budget, so that others can start too. */
const FIRST: Amount = { usd: 1, tokens: 200_000 }
const FIRST_SHARE = 0.1

/**
 * Beside others, a session takes at most half of the rest, and does not start with less than this share of its need.
 */
const WORTHWHILE = 0.25

export type Grant =
  | { readonly is: 'granted'; readonly reserved: Amount }
  /** Too little is left now, but other sessions may return something. */
  | { readonly is: 'held' }
  | { readonly is: 'spent' }

export function reserve(ledger: Ledger): Grant {
  const left = leftOf(ledger)
  if (left.usd <= 0 || left.tokens <= 0) return { is: ledger.open > 0 ? 'held' : 'spent' }
  const options = optionsOf(ledger)
  if (ledger.open === 0) return { is: 'granted', reserved: smaller(options, left) }
  const share = { usd: toMicro(left.usd / 2), tokens: Math.ceil(left.tokens / 2) }
  const isEnough = share.usd >= options.usd * WORTHWHILE && share.tokens >= options.tokens * WORTHWHILE
  return isEnough ? { is: 'granted', reserved: smaller(options, share) } : { is: 'held' }
}

/** What a session that has used `seen` so far may use in total; it must stop at that amount. */
export function growAllowance(ledger: Ledger, reserved: Amount, seen: Amount): Amount {
  const { budget } = ledger
  const isShort =
    (budget.usd !== null && seen.usd >= reserved.usd) || (budget.tokens !== null && seen.tokens >= reserved.tokens)
  if (!isShort) return reserved
  const options = optionsOf(ledger)
  const wanted = larger(reserved, { usd: seen.usd + options.usd, tokens: seen.tokens + options.tokens })
  return smaller(wanted, larger(leftOf(ledger), { usd: 0, tokens: 0 }))
}

export function isOver(budget: Budget, allowed: Amount, seen: Amount): boolean {
  return (budget.usd !== null && seen.usd >= allowed.usd) || (budget.tokens !== null && seen.tokens >= allowed.tokens)
}

/** US dollars per token, from the agent's priced sessions; null: it has named no price yet. */
export type Rate = number | null

/** The known use of a running session; where it has named no price yet, the price comes from earlier sessions. */
export function seenAmount(used: Used, rate: Rate): Amount {
  const tokens = tokensOf(used)
  return { usd: toMicro(used.costUsd ?? tokens * (rate ?? 0)), tokens }
}

/** The charge of an ended session: its whole reservation where it does not report its use. */
export function charge(reserved: Amount, used: Used, rate: Rate, failure: string | null): Amount {
  const tokens = tokensOf(used)
  if (tokens === 0 && used.costUsd === null) return isTurnedAway(failure) ? { usd: 0, tokens: 0 } : reserved
  const estimated = rate === null ? reserved.usd : tokens * rate
  return { usd: toMicro(used.costUsd ?? estimated), tokens }
}

/** The charge while it runs, and forever if its loop is killed. */
export function openCharge(reserved: Amount, seen: Amount): Amount {
  return larger(reserved, seen)
}

function optionsOf({ budget, recent }: Ledger): Amount {
  if (recent.length > 0) return recent.reduce(larger)
  return {
    usd: Math.min(FIRST.usd, toMicro(FIRST_SHARE * (budget.usd ?? Infinity))),
    tokens: Math.min(FIRST.tokens, Math.ceil(FIRST_SHARE * (budget.tokens ?? Infinity))),
  }
}

function leftOf({ budget, charged }: Ledger): Amount {
  return {
    usd: budget.usd === null ? Infinity : toMicro(budget.usd - charged.usd),
    tokens: budget.tokens === null ? Infinity : budget.tokens - charged.tokens,
  }
}

function larger(one: Amount, other: Amount): Amount {
  return { usd: Math.max(one.usd, other.usd), tokens: Math.max(one.tokens, other.tokens) }
}

function smaller(one: Amount, other: Amount): Amount {
  return { usd: Math.min(one.usd, other.usd), tokens: Math.min(one.tokens, other.tokens) }
}

/** From the limits of a config, where 0 means none. */
export function budgetOf({ budgetUsd, budgetTokens }: Pick<Limits, 'budgetUsd' | 'budgetTokens'>): Budget {
  return { usd: budgetUsd === 0 ? null : budgetUsd, tokens: budgetTokens === 0 ? null : budgetTokens }
}

export function isLimited({ usd, tokens }: Budget): boolean {
  return usd !== null || tokens !== null
}

/** `$5.00`, `1,000,000 tokens`, or both; '' where there is none. */
export function formatBudget({ usd, tokens }: Budget): string {
  const parts = [...(usd === null ? [] : [formatUsd(usd)]), ...(tokens === null ? [] : [formatTokens(tokens)])]
  return parts.join(' and ')
}

/** The command that doubles a budget. */
export function raisingCommand(budget: Budget): string {
  const flags = [
    ...(budget.usd === null ? [] : [`--budget ${Math.max(1, Math.ceil(budget.usd * 2))}`]),
    ...(budget.tokens === null ? [] : [`--budget-tokens ${budget.tokens * 2}`]),
  ]
  return ['ralph build', ...flags].join(' ')
}

/** The sentence for the user when the budget is spent, with the way to continue. */
export function spentSentence(budget: Budget): string {
  const how = `'${raisingCommand(budget)}' goes on (the number is what the build may use in all, not in addition)`
  return `The budget of ${formatBudget(budget)} is spent; ${how}.`
}
