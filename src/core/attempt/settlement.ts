// The effect of an attempt on the row of its task: who may claim it now, and which tasks replace it.
import type { Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import type { Instant } from '../values/id.ts'
import { claimOf } from '../task/claim.ts'
import { newTask, outsideWord, releaseTask, reopenTask, rewordTask, type Task } from '../task/task.ts'

/** `held`: a loop continues under its lease. `free`: any loop may claim the task. */
export function taskAfter(task: Task, attempt: Attempt, fact: Cause, lease: 'held' | 'free', now: Instant): Task {
  const { phase } = attempt
  const rested = { ...releaseTask(task, now), reportedDone: null }
  if (phase.at === 'waiting') return { ...rested, status: 'waiting', failReason: phase.reason }
  if (phase.at === 'settled') {
    const { as } = phase
    if (as.is === 'done')
      return { ...rested, status: 'done', result: { commit: as.commit, tree: as.tree, proof: as.proof } }
    return { ...rested, status: as.is }
  }
  if (outsideWord(task) !== null && phase.at === 'working') return reopenTask(task, refusalOf(attempt, fact), now)
  // The fact that ends a session holds its report.
  const told = fact.type === 'intervened' && fact.intervention.type === 'fixed' ? fact.intervention.task : {}
  const going = rewordTask({ ...task, status: 'active', reportedDone: outsideWord(task) }, told, 'sia', now)
  return lease === 'held' ? going : { ...releaseTask(going, now), status: 'open', result: null }
}

/** Why work from outside the build was refused. */
function refusalOf(attempt: Attempt, fact: Cause): string {
  if (fact.type === 'interrupted') return fact.reason
  return attempt.feedback.length > 0 ? attempt.feedback.join('\n') : (attempt.lastError ?? 'it could not be proved')
}

/**
 * The parts that replace a split task. They belong to no spec: the next sync of its plan does not list them. A part
 * without a type of its own claims what the whole task claims.
 */
export function partsOf(task: Task, attempt: Attempt, now: Instant): Task[] {
  const { phase } = attempt
  if (phase.at !== 'settled' || phase.as.is !== 'split') return []
  return phase.as.subtasks.map((part) => ({
    ...newTask(part.id, { priority: task.priority, ...part.text, spec: null }, part.deps, now),
    build: task.build,
    fixedClaim: (part.text.type ?? null) === null ? claimOf(task) : null,
  }))
}
