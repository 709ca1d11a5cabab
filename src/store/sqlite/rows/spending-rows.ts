// Maps sessions to rows and back.
import type { AgentId, BuildId, TaskId } from '../../../core/values/id.ts'
import type { SessionSpending } from '../../../core/money/spending.ts'

export interface RawSession {
  readonly id: number
  readonly build: BuildId
  readonly task: TaskId | null
  readonly attempt: number
  readonly iteration: number
  readonly role: string
  readonly agent: string
  readonly loop: AgentId
  readonly state: SessionSpending['state']
  readonly started_at: number
  readonly duration_ms: number
  readonly reserved_usd: number
  readonly reserved_tokens: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
  readonly failure: string | null
}

export function sessionOf(row: RawSession): SessionSpending {
  const { build, task, attempt, iteration, role, agent, loop, state, failure } = row
  return {
    ...{ build, task, attempt, iteration, role, agent, loop, state },
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    used: { inputTokens: row.input_tokens, outputTokens: row.output_tokens, costUsd: row.cost_usd },
    failure,
  }
}

/**
 * Whether a session is still alive: its loop holds its task, or is registered where the session has no task. `?` is the
 * current time.
 */
export const isAlive = `CASE WHEN task IS NULL THEN EXISTS (SELECT 1 FROM agents WHERE agents.id = spending.loop)
  ELSE EXISTS (
    SELECT 1 FROM builds JOIN tasks ON tasks.scope = builds.scope AND tasks.id = spending.task
    WHERE builds.id = spending.build AND tasks.status = 'active' AND tasks.assignee = spending.loop
      AND tasks.lease_expires_at > ?) END`
