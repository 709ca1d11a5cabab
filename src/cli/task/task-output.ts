// Tasks as this face shows them.
import { formatInstant } from '../../core/values/instant.ts'
import { claimOf } from '../../core/task/claim.ts'
import { isReported } from '../../core/task/reported.ts'
import type { Task } from '../../core/task/task.ts'
import type { Call } from '../command.ts'
import { print, printJson } from '../output.ts'

/** One line for people and scripts; the whole task with --json. */
export function confirm(call: Call, line: string, task: Task): void {
  if (call.wantsJson) printJson(taskJson(task))
  else print(`${line}\n`)
}

export function taskJson(task: Task): Record<string, unknown> {
  const { claim, from } = claimOf(task)
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    priority: task.priority,
    status: task.status,
    reported: isReported(task),
    category: task.category,
    spec: task.spec,
    ref: task.ref,
    type: task.type,
    claim,
    claim_from: from,
    steps: task.steps,
    acceptance: task.acceptance,
    files_expected: task.filesExpected,
    deps: task.deps,
    assignee: task.assignee,
    lease_expires_at: task.leaseExpiresAt === null ? null : formatInstant(task.leaseExpiresAt),
    retry_count: task.retryCount,
    fail_reason: task.failReason,
    result: task.result,
    created_at: formatInstant(task.createdAt),
    updated_at: formatInstant(task.updatedAt),
  }
}
