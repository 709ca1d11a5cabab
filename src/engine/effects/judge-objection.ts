import type { Effect } from '../../core/attempt/attempt.ts'
import type { Decision } from '../../core/fact/fact.ts'
import { readReview } from '../../core/attempt/review.ts'
import { askRole } from '../session/ask-role.ts'
import { taskText } from '../session/brief.ts'
import { failurePolicy } from '../session/failure-policy.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

/**
 * The agent says that a check is wrong. The reviewer may disagree and send the task back to work; otherwise a human
 * decides.
 */
export async function judgeObjection(
  effect: Extract<Effect, { do: 'judgeObjection' }>,
  taskRun: TaskRun,
): Promise<EffectOutcome> {
  const { engine, attempt, task } = taskRun
  const about = { type: 'reviewed', taskId: task.id, attempt: attempt.number, of: 'objection' } as const
  const unanswered = (why: string): EffectOutcome => ({
    fact: { ...about, decision: { is: 'approve' }, reasons: [why] },
  })
  if (engine.config.review.when === 'never') return unanswered('no reviewer is set')
  const tree = attempt.tree ?? (await engine.workspaces.head(taskRun.build)).tree
  const prompt = await engine.prompts.fill('objection', { task: taskText(task), objection: effect.reason })
  const answer = await askRole(taskRun, { role: 'reviewer', prompt, tree, read: (message) => readReview(message) })
  if (answer.is === 'failed') {
    const free = failurePolicy(answer.failure, taskRun, answer.agent)
    if (free !== null) return free
  }
  if (answer.is !== 'answer') return unanswered('no reviewer gave a usable answer')
  const { decision, reasons, requiredFixes } = answer.value
  const decided: Decision = decision === 'approve' ? { is: 'approve' } : { is: 'request_changes', requiredFixes }
  return { fact: { ...about, decision: decided, reasons } }
}
