// Pays for one agent session: reserves an amount before it begins, watches it while it runs, stops it at the cap, and
// settles what it really used, however it ended.
import { type Failure, NOTHING_USED, type Outcome, type Usage } from '../../agents/agent.ts'
import { budgetOf, isOver, seenAmount, spentSentence } from '../../core/money/budget.ts'
import type { SessionMark } from '../../core/money/spending.ts'
import type { Allowance, Reservation, SessionResult } from '../../store/store.ts'
import type { SessionRequestContext, EngineDeps } from '../deps.ts'

/** How often to save what was used so far, so that little is unknown about a session whose loop is killed. */
const NOTE_EVERY_MS = 10_000
/** The store does not change when a loop dies or its lease ends, so nobody says that its reservation is free. */
const HELD_LOOK_MS = 2_000

export type SessionFailure = Failure | BudgetEnd

/** The session reached the cap before it began or while it ran. */
export interface BudgetEnd {
  readonly kind: 'budget'
  readonly sentence: string
}

export interface SessionOutcome extends Omit<Outcome, 'failure'> {
  readonly failure: SessionFailure | null
}

type BudgetPorts = Pick<EngineDeps, 'store' | 'config' | 'now'>
type Grant = Extract<Reservation, { is: 'granted' }>

/** `work` gets a signal that stops it, and reports what it has used so far. */
export async function runWithinBudget(
  bank: BudgetPorts,
  mark: SessionMark,
  signal: AbortSignal,
  work: (signal: AbortSignal, watch: (used: Usage) => void) => Promise<Outcome>,
  about: SessionRequestContext['about'] = () => null,
): Promise<SessionOutcome> {
  const grant = await setAside(bank, mark, signal)
  if (grant === null) return notStarted({ kind: 'killed', sentence: 'stopped before the agent began', until: null })
  if (grant.is === 'spent') return notStarted({ kind: 'budget', sentence: spentSentence(grant.budget) })
  const sessionBudget = openSessionBudget(bank, grant)
  let outcome: SessionOutcome = notStarted({ kind: 'crashed', sentence: 'the session could not be held', until: null })
  try {
    outcome = await work(AbortSignal.any([signal, sessionBudget.empty]), sessionBudget.watch)
    // A session that ended by itself while it was being stopped has ended well.
    if (outcome.failure?.kind === 'killed' && sessionBudget.empty.aborted && !signal.aborted)
      outcome = { ...outcome, failure: { kind: 'budget', sentence: spentSentence(sessionBudget.budget()) } }
    return outcome
  } finally {
    await sessionBudget.settle(outcome, about())
  }
}

export function notStarted(failure: SessionFailure): SessionOutcome {
  return { failure, finalMessage: '', usage: NOTHING_USED, durationMs: 0, survivors: 0 }
}

/** Waits while others hold the rest of the budget; null: it has to stop. */
async function setAside(
  bank: BudgetPorts,
  mark: SessionMark,
  signal: AbortSignal,
): Promise<Exclude<Reservation, { is: 'held' }> | null> {
  if (signal.aborted) return null
  const frozen = budgetOf(bank.config.limits)
  const first = await bank.store.spending.reserve(mark, frozen)
  if (first.is !== 'held') return first
  const over = new AbortController()
  const changes = bank.store.changes(AbortSignal.any([signal, over.signal]))[Symbol.asyncIterator]()
  try {
    for (let change = changes.next(); !signal.aborted;) {
      const found = await bank.store.spending.reserve(mark, frozen)
      if (found.is !== 'held') return found
      if (await within(HELD_LOOK_MS, change)) change = changes.next()
    }
    return null
  } finally {
    over.abort()
  }
}

/** Whether the event came in time. */
async function within(ms: number, event: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  try {
    return await Promise.race([event.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

function openSessionBudget({ store, config, now }: BudgetPorts, { id, ...granted }: Grant) {
  const empty = new AbortController()
  const frozen = budgetOf(config.limits)
  let allowance: Allowance = granted
  let last: Usage = NOTHING_USED
  let notedAt = now()
  let noting: Promise<void> | null = null
  const isSpent = (used: Usage): boolean =>
    isOver(allowance.budget, allowance.allowed, seenAmount(used, allowance.rate))
  const note = async (): Promise<void> => {
    for (let told: Usage | null = null; told !== last;) {
      told = last
      notedAt = now()
      // An unreachable store grants nothing more; earlier grants stay.
      allowance = (await store.spending.note(id, told, frozen).catch(() => null)) ?? allowance
      if (isSpent(told)) empty.abort(new Error('the budget is spent'))
      if (!isSpent(last)) return
    }
  }
  return {
    empty: empty.signal,
    budget: () => allowance.budget,
    watch: (used: Usage): void => {
      last = used
      if (!isSpent(used) && now() - notedAt < NOTE_EVERY_MS) return
      noting ??= note().finally(() => (noting = null))
    },
    settle: async (
      { usage, durationMs, failure }: SessionOutcome,
      about: NonNullable<SessionResult['about']> | null,
    ): Promise<void> => {
      await noting
      const used = knownOf(last, usage)
      await store.spending.settle(id, { used, durationMs, failure: failure?.kind ?? null, about })
    },
  }
}

/** A killed agent may not repeat at its end what it reported before. */
function knownOf(seen: Usage, final: Usage): Usage {
  return {
    inputTokens: Math.max(seen.inputTokens, final.inputTokens),
    outputTokens: Math.max(seen.outputTokens, final.outputTokens),
    costUsd: final.costUsd ?? seen.costUsd,
  }
}
