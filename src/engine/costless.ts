// What is nobody's fault costs no attempt: a limit is waited out, a login that is missing stops the loop.
import type { Agent, Failure } from '../agents/agent.ts'
import type { TreeId } from '../core/id.ts'
import { patience } from '../core/patience.ts'
import { noteLimit } from './limited-agents.ts'
import type { Performed } from './perform.ts'
import type { SessionFailure } from './purse.ts'
import type { Job } from './shop.ts'

/** What the session that failed had made; null: nothing that could be taken. */
type Left = TreeId | null

/** Null: the failure counts as the work's own. */
export function costless(failure: SessionFailure, job: Job, agent: Agent, left: Left = null): Performed | null {
  switch (failure.kind) {
    case 'rateLimit':
    case 'overload':
      return waitFor(failure, failure.kind, job, agent, left)
    case 'auth':
    case 'billing':
    case 'notFound':
    case 'unknownCommand':
      return { ...interrupted(job, failure.sentence, left), stop: { reason: 'Failed', detail: failure.sentence } }
    case 'budget':
      return {
        ...interrupted(job, 'the budget is spent', left),
        stop: { reason: 'BudgetExhausted', detail: failure.sentence },
      }
    case 'killed':
      return interrupted(job, failure.sentence, left)
    case 'contextTooLong':
    case 'permissionDenied':
    case 'crashed':
    case 'timedOut':
    case 'idle':
    case 'badOutput':
      return null
  }
}

function waitFor(
  { sentence, until: told }: Failure,
  kind: 'rateLimit' | 'overload',
  job: Job,
  agent: Agent,
  left: Left,
): Performed {
  const { shop, attempt, task } = job
  const now = shop.now()
  const hindrance = { kind, agent: agent.name, sentence, until: told, waits: attempt.waits }
  const found = patience(hindrance, now, Math.random())
  if (found.is === 'give-up')
    return { ...interrupted(job, sentence, left), stop: { reason: 'Failed', detail: found.why } }
  noteLimit(agent, { kind, sentence, until: told !== null && told > now ? told : found.until })
  const about = { taskId: task.id, reason: sentence, until: found.until, agent: agent.name }
  return { fact: { type: 'limited', ...about, ...(left === null ? {} : { tree: left }) } }
}

function interrupted({ task }: Job, reason: string, left: Left): Performed {
  return { fact: { type: 'interrupted', taskId: task.id, reason, ...(left === null ? {} : { tree: left }) } }
}
