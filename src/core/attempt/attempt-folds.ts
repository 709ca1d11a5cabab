// How one outcome changes an attempt: the arrows of the diagram in attempt.ts.
import type { Attempt, Phase, Settlement } from './attempt.ts'
import { type RalphError, refuse } from '../error/error.ts'
import type { Cause, Proof } from '../fact/fact.ts'
import type { TreeId } from '../values/id.ts'
import { rejectedText } from './landing.ts'
import { untriedTechniques } from '../role-answers/sia.ts'
import { lastWordsIn, stuckReason, withTrace } from './stuck.ts'

export type FactOf<Type extends Cause['type']> = Extract<Cause, { type: Type }>
type PhaseAt<At extends Phase['at']> = Extract<Phase, { at: At }>

export function afterIteration(attempt: Attempt, fact: FactOf<'iterationDone'>): Attempt {
  inPhase(attempt, fact, 'working')
  if (fact.iteration !== attempt.iteration + 1)
    throw factRefused(attempt, fact, `iteration ${attempt.iteration + 1} is under way, not ${fact.iteration}`)
  const moved: Attempt = {
    ...attempt,
    iteration: fact.iteration,
    tree: fact.tree,
    recent: withTrace(attempt.recent, { tree: fact.tree, error: fact.error }),
    lastError: fact.error ?? attempt.lastError,
  }
  if (fact.ends === 'attempt' && fact.error !== null) return failAttempt(moved, fact.error, [fact.error])
  switch (fact.signal?.kind) {
    case 'TASK_COMPLETE':
      return { ...moved, phase: { at: 'verifying', tree: fact.tree, resolution: null } }
    case 'CHECK_WRONG':
      return { ...moved, phase: { at: 'objecting', reason: fact.signal.reason } }
    case 'TASK_STUCK':
      return askForHelp(withFailure(moved, fact.signal.reason, [fact.signal.reason]), fact.signal.reason)
    case 'ITERATION_DONE':
    case undefined:
      return stillWorking(moved)
  }
}

export function stillWorking(attempt: Attempt): Attempt {
  const stuck = stuckReason(attempt.recent)
  if (stuck !== null) return failAttempt(attempt, stuck, [stuck])
  if (attempt.iteration < attempt.limits.iterations) return { ...attempt, phase: { at: 'working' } }
  const last = lastWordsIn(attempt.recent.slice(-1))
  const spent = `${attempt.iteration} iterations went by without completing the task${last === null ? '' : `; what went wrong last: ${last}`}`
  return failAttempt(attempt, spent, [spent])
}

export function afterMerge(attempt: Attempt, fact: FactOf<'merged'>): Attempt {
  const phase = inPhase(attempt, fact, 'merging')
  const { commit, tree, proof } = fact
  if (!proves(proof, tree, phase)) throw factRefused(attempt, fact, `its proof is not of tree ${tree}`)
  return settle(attempt, { is: 'done', commit, tree, proof })
}

/** If the branch moved in the meantime, the merge makes another tree, and another tree needs its own evidence. */
function proves(proof: Proof, tree: TreeId, phase: PhaseAt<'merging'>): boolean {
  if (proof.by === 'person') return phase.proof.by === 'person' && proof.person === phase.proof.person
  return phase.proof.by === 'evidence' && (tree === phase.tree || proof.evidence !== phase.proof.evidence)
}

export function afterIntervention(attempt: Attempt, fact: FactOf<'intervened'>): Attempt {
  inPhase(attempt, fact, 'intervening')
  if (fact.interventionNumber !== attempt.interventions + 1)
    throw factRefused(attempt, fact, `intervention ${attempt.interventions + 1} is under way`)
  const { intervention } = fact
  const counted = { ...attempt, interventions: fact.interventionNumber }
  if (intervention.type === 'escalate') return escalate(counted, intervention.reason)
  if (attempt.techniques.includes(intervention.technique))
    throw factRefused(attempt, fact, `${intervention.technique} was tried before`)
  const worker = intervention.type === 'fixed' ? intervention.worker : undefined
  const learned: Attempt = {
    ...counted,
    techniques: [...attempt.techniques, intervention.technique],
    ...(worker === undefined ? {} : { worker }),
  }
  if (intervention.type === 'fixed')
    return startOver({ ...learned, taskName: intervention.task.title ?? attempt.taskName }, attempt.feedback)
  if (intervention.subtasks.length === 0) throw factRefused(attempt, fact, 'a split needs subtasks')
  return settle(learned, { is: 'split', subtasks: intervention.subtasks })
}

/** The engine may add to the reason what the checks saw last. */
export function afterQuestion(attempt: Attempt, fact: FactOf<'humanNeeded'>): Attempt {
  const { reason } = inPhase(attempt, fact, 'escalating')
  return { ...attempt, phase: { at: 'waiting', reason: fact.reason.includes(reason) ? fact.reason : reason } }
}

export function afterResolution(attempt: Attempt, fact: FactOf<'taskResolved'>): Attempt {
  inPhase(attempt, fact, 'waiting')
  const resolution = { by: fact.by, text: fact.text }
  const { tree } = fact
  return fact.accepted === 'unverified'
    ? { ...attempt, tree, phase: { at: 'merging', tree, proof: { by: 'person', person: fact.by }, resolution } }
    : { ...attempt, tree, phase: { at: 'verifying', tree, resolution } }
}

export function afterRevert(attempt: Attempt, fact: FactOf<'taskReverted'>): Attempt {
  const { as } = inPhase(attempt, fact, 'settled')
  if (as.is !== 'done') throw factRefused(attempt, fact, `it was ${as.is}, not merged`)
  if (as.commit !== fact.commit) throw factRefused(attempt, fact, `commit ${as.commit} was merged`)
  return startOver({ ...attempt, tree: null }, [`the merged patch ${fact.commit} was reverted`])
}

/**
 * Somebody changed the task's row behind the engine; the row follows the attempt again. The loop that worked on the
 * task lost it, which costs the attempt; a merge that the branch no longer has is done again.
 */
export function afterRejection(attempt: Attempt, fact: FactOf<'statusRejected'>): Attempt {
  const { phase } = attempt
  const told = rejectedText(fact)
  if (phase.at === 'working' && fact.attempt !== undefined) return failAttempt(attempt, told, [told])
  return phase.at === 'settled' && fact.lost !== undefined ? startOver(attempt, [told]) : attempt
}

/** A limit during a wait replaces the earlier one. */
export function afterLimit(attempt: Attempt, fact: FactOf<'limited'>): Attempt {
  const { phase, waits } = requireUnderWay(attempt, fact)
  const { until, reason, agent } = fact
  const resumes = phase.at === 'limited' ? phase.resumes : phase
  return { ...goingOnFrom(attempt, fact), waits: waits + 1, phase: { at: 'limited', until, reason, agent, resumes } }
}

/** The next session starts on the tree that an interrupted session left. */
export function goingOnFrom(attempt: Attempt, { tree }: { readonly tree?: TreeId }): Attempt {
  return tree === undefined ? attempt : { ...attempt, tree }
}

/** One more failed attempt: starts the next one, or asks for help after too many. */
export function failAttempt(attempt: Attempt, error: string, feedback: readonly string[]): Attempt {
  const over = withFailure(attempt, error, feedback)
  const stuck = stuckReason(over.recent)
  if (stuck !== null || over.failures >= over.limits.attempts) return askForHelp(over, stuck ?? error)
  return { ...over, phase: { at: 'working' }, number: over.number + 1, iteration: 0 }
}

function withFailure(attempt: Attempt, error: string, feedback: readonly string[]): Attempt {
  return { ...attempt, failures: attempt.failures + 1, lastError: error, feedback }
}

/** SIA while it has interventions and techniques left, then a human. */
function askForHelp(attempt: Attempt, reason: string): Attempt {
  const siaCan =
    attempt.interventions < attempt.limits.interventions && untriedTechniques(attempt.techniques).length > 0
  return siaCan ? { ...attempt, phase: { at: 'intervening', reason } } : escalate(attempt, reason)
}

export function escalate(attempt: Attempt, reason: string): Attempt {
  return { ...attempt, phase: { at: 'escalating', reason } }
}

/** A new attempt with its failures reset. */
export function startOver(attempt: Attempt, feedback: readonly string[]): Attempt {
  return {
    ...attempt,
    phase: { at: 'working' },
    number: attempt.number + 1,
    iteration: 0,
    failures: 0,
    recent: [],
    feedback,
  }
}

export function settle(attempt: Attempt, as: Settlement): Attempt {
  return { ...attempt, phase: { at: 'settled', as } }
}

export function inPhase<At extends Phase['at']>(attempt: Attempt, fact: Cause, at: At): PhaseAt<At> {
  if (attempt.phase.at !== at) throw factRefused(attempt, fact, `it must be ${at}`)
  return attempt.phase as PhaseAt<At>
}

export function requireUnsettled(attempt: Attempt, fact: Cause): Attempt {
  if (attempt.phase.at === 'settled') throw factRefused(attempt, fact, 'it is settled')
  return attempt
}

/** While the task waits for a human, no effect runs that could be limited or interrupted. */
export function requireUnderWay(attempt: Attempt, fact: Cause): Attempt {
  if (attempt.phase.at === 'waiting') throw factRefused(attempt, fact, 'only a human is waited for')
  return requireUnsettled(attempt, fact)
}

export function factRefused(attempt: Attempt, fact: Cause, why: string): RalphError {
  return refuse('FACT_REFUSED', { fact: fact.type, phase: attempt.phase.at, why })
}
