// What is nobody's fault costs no attempt: a limit is waited out, a login that is missing stops the loop.
import type { Failure, FailureKind } from '../agents/agent.ts'
import type { Instant } from '../core/id.ts'
import type { Performed } from './perform.ts'
import type { Job } from './shop.ts'

/** How long to wait where the agent did not say: a limit of use lasts, an overload passes. */
const PAUSES_MS = { rateLimit: 300_000, overload: 20_000 } as const

/** Null: the failure counts as the work's own. */
export function costless(failure: Failure, { task, shop }: Pick<Job, 'task' | 'shop'>): Performed | null {
  const about = { taskId: task.id, reason: failure.sentence }
  const burden = burdenOf(failure, shop.now())
  switch (burden.is) {
    case 'limit':
      return { fact: { type: 'limited', ...about, until: burden.until } }
    case 'operator':
      return { fact: { type: 'interrupted', ...about }, stop: { reason: 'Failed', detail: failure.sentence } }
    case 'stopped':
      return { fact: { type: 'interrupted', ...about } }
    case 'own':
      return null
  }
}

/** Whose a failure is: a limit's, which passes; the operator's, who has to mend it; ours, who stopped it; or its own. */
export type Burden = { readonly is: 'limit'; readonly until: Instant } | { readonly is: 'operator' | 'stopped' | 'own' }

export function burdenOf(failure: Failure, now: Instant): Burden {
  switch (failure.kind) {
    case 'rateLimit':
    case 'overload':
      return { is: 'limit', until: failure.until ?? now + pauseAfter(failure.kind) }
    case 'auth':
    case 'billing':
    case 'notFound':
    case 'unknownCommand':
      return { is: 'operator' }
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

/** With jitter, so that many loops do not come back at the same moment. */
function pauseAfter(kind: Extract<FailureKind, 'rateLimit' | 'overload'>): number {
  return PAUSES_MS[kind] * (0.75 + Math.random() / 2)
}
