// A failure that is nobody's fault costs no attempt: the loop waits for a limit to pass, and stops where a login is
// missing.
import type { Agent, Failure } from '../../agents/agent.ts'
import type { Instant, TreeId } from '../../core/values/id.ts'
import { patience } from '../../core/money/limit-waits.ts'
import { noteOutage } from './limited-agents.ts'
import type { EffectOutcome } from '../perform.ts'
import type { SessionFailure } from './session-budget.ts'
import type { EngineDeps, TaskRun } from '../deps.ts'

type Clocked = Pick<EngineDeps, 'memory' | 'now'>

/**
 * Null: the failure counts against the work. `left`: the tree that the session made; null: nothing that could be
 * harvested.
 */
export function failurePolicy(
  failure: SessionFailure,
  { engine, task, attempt }: TaskRun,
  agent: Agent,
  left: TreeId | null = null,
): EffectOutcome | null {
  const about = { taskId: task.id, reason: failure.sentence, ...(left === null ? {} : { tree: left }) }
  const cause = causeOf(engine, failure, agent, attempt.waits)
  switch (cause.is) {
    case 'limit':
      return { fact: { type: 'limited', ...about, until: cause.until, agent: agent.name } }
    case 'operator':
      return { fact: { type: 'interrupted', ...about }, stop: { reason: 'Failed', detail: cause.sentence } }
    case 'budget':
      return {
        fact: { type: 'interrupted', ...about, reason: 'the budget is spent' },
        stop: { reason: 'BudgetExhausted', detail: cause.sentence },
      }
    case 'stopped':
      return { fact: { type: 'interrupted', ...about } }
    case 'own':
      return null
  }
}

/**
 * What caused a failure: a limit, which passes; something that the operator has to fix; our own stop; or the work
 * itself.
 */
export type FailureCause =
  | { readonly is: 'limit'; readonly until: Instant }
  | { readonly is: 'operator' | 'budget'; readonly sentence: string }
  | { readonly is: 'stopped' | 'own' }

/** `waits`: how often in a row the loop has waited for the agent. */
export function causeOf(engine: Clocked, failure: SessionFailure, agent: Agent, waits: number): FailureCause {
  switch (failure.kind) {
    case 'rateLimit':
    case 'overload':
      return limitOf(engine, failure, failure.kind, agent, waits)
    case 'auth':
    case 'billing':
    case 'notFound':
    case 'unknownCommand':
      return { is: 'operator', sentence: failure.sentence }
    case 'budget':
      return { is: 'budget', sentence: failure.sentence }
    case 'killed':
      return { is: 'stopped' }
    case 'contextTooLong':
    case 'permissionDenied':
    case 'crashed':
    case 'timedOut':
    case 'idle':
    case 'badOutput':
      return { is: 'own' }
  }
}

function limitOf(
  { memory, now: clock }: Clocked,
  { sentence, until: told }: Failure,
  kind: 'rateLimit' | 'overload',
  agent: Agent,
  waits: number,
): FailureCause {
  const now = clock()
  const found = patience({ kind, agent: agent.name, sentence, until: told, waits }, now, Math.random())
  if (found.is === 'give-up') return { is: 'operator', sentence: found.why }
  const until = told !== null && told > now ? told : found.until
  noteOutage(memory.outages, agent, { is: 'limit', kind, reason: sentence, until }, now)
  return { is: 'limit', until: found.until }
}
