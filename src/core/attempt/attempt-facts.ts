// The facts around each effect: intents before it, announcements after its outcome is folded.
import type { Attempt, Effect } from './attempt.ts'
import type { Announcement, Cause, Intent } from '../fact/fact.ts'

/** Recorded before the effect runs. */
export function intents(attempt: Attempt, effect: Effect): Intent[] {
  const about = { taskId: attempt.task, attempt: attempt.number }
  switch (effect.do) {
    case 'iterate':
      return [
        ...(effect.iteration === 1 ? [{ type: 'taskStarted', ...about, taskName: attempt.taskName } as const] : []),
        { type: 'iterationStarted', ...about, iteration: effect.iteration },
      ]
    case 'verify':
      return [{ type: 'verifying', ...about, tree: effect.tree }]
    case 'review':
    case 'judgeObjection':
      return [{ type: 'reviewing', ...about }]
    case 'merge':
      return [{ type: 'merging', ...about, tree: effect.tree }]
    case 'intervene':
      return [{ type: 'siaTriggered', taskId: attempt.task, interventionNumber: attempt.interventions + 1 }]
    case 'wait': {
      const { until, reason, agent } = effect
      return [{ type: 'waiting', taskId: attempt.task, until, reason, agent }]
    }
    case 'askHuman':
      return []
  }
}

/** Recorded when an interrupted effect resumes: a wait is announced again by the loop that waits now. */
export function repeatedIntents(attempt: Attempt, effect: Effect): Intent[] {
  return effect.do === 'wait' ? intents(attempt, effect) : []
}

/** The announcements that follow from a folded cause. */
export function announcements(before: Attempt, fact: Cause, after: Attempt): Announcement[] {
  const about = { taskId: before.task, taskName: before.taskName }
  if (fact.type === 'merged') return [{ type: 'taskComplete', ...about, commitHash: fact.commit }]
  if (after.failures > before.failures)
    return [{ type: 'taskFailed', ...about, attempt: before.number, error: after.lastError ?? 'unknown' }]
  if (fact.type !== 'intervened') return []
  const { intervention } = fact
  if (intervention.type === 'fixed') return [{ type: 'siaSuccess', taskId: before.task }]
  if (intervention.type === 'escalate') return []
  return [{ type: 'siaDecomposed', originalTaskId: before.task, newTaskCount: intervention.subtasks.length }]
}

/** Distinguishes one run of an effect from the next, also after a restart. */
export function effectKey(attempt: Attempt, effect: Effect): string {
  return `${effect.do} ${attempt.number}/${attempt.iteration}`
}
