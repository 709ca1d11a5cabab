// What an attempt means for the row of its task: who may claim it now, and what stands in its place.
import type { Attempt } from './attempt.ts'
import type { Cause } from './fact.ts'
import type { Instant } from './id.ts'
import { newTask, released, rewritten, type Task } from './task.ts'

/** `held`: a loop goes on with it under its lease. `free`: nobody does, so any loop may claim it. */
export function taskAfter(task: Task, attempt: Attempt, fact: Cause, hands: 'held' | 'free', now: Instant): Task {
  const { phase } = attempt
  if (phase.at === 'waiting') return { ...released(task, now), status: 'waiting', failReason: phase.reason }
  if (phase.at === 'settled') {
    const { as } = phase
    if (as.is === 'done')
      return { ...released(task, now), status: 'done', result: { commit: as.commit, tree: as.tree, proof: as.proof } }
    return { ...released(task, now), status: as.is }
  }
  const told = fact.type === 'intervened' && fact.intervention.type === 'fixed' ? fact.intervention.task : {}
  const going = rewritten({ ...task, status: 'active' }, told, now)
  return hands === 'held' ? going : { ...released(going, now), status: 'open', result: null }
}

/** The parts that take a split task's place. They belong to no spec: the next sync of its plan does not list them. */
export function partsOf(task: Task, attempt: Attempt, now: Instant): Task[] {
  const { phase } = attempt
  if (phase.at !== 'settled' || phase.as.is !== 'split') return []
  return phase.as.subtasks.map((part) => ({
    ...newTask(part.id, { priority: task.priority, ...part.text, spec: null }, part.deps, now),
    build: task.build,
  }))
}
