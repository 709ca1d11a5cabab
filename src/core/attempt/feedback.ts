// How a red check, a review or a refused merge becomes the feedback that the next attempt starts with.
import type { Attempt, Resolution, Trace } from './attempt.ts'
import { escalate, type FactOf, factRefused, failAttempt, inPhase, stillWorking } from './attempt-folds.ts'
import type { Strength } from '../fact/strength.ts'
import { withAnswer } from './stuck.ts'

export function afterVerification(attempt: Attempt, fact: FactOf<'verified'>): Attempt {
  const { tree, resolution } = inPhase(attempt, fact, 'verifying')
  if (fact.tree !== tree) throw factRefused(attempt, fact, `tree ${tree} is to be verified, not ${fact.tree}`)
  const { verdict } = fact
  const proof = { by: 'evidence', evidence: fact.evidence } as const
  if (verdict.is === 'green' && goesBack(attempt, resolution, fact.strength, fact.sealed))
    return toldOnce(attempt, fact)
  if (verdict.is === 'green')
    return resolution === null
      ? { ...attempt, phase: { at: 'reviewing', tree, evidence: fact.evidence } }
      : { ...attempt, phase: { at: 'merging', tree, proof, resolution } }
  const told = { ...attempt, lastError: verdict.error }
  const returns = attempt.freeReturns ?? 0
  if (verdict.is === 'unverified' && verdict.costs === 'nothing' && resolution === null && returns < FREE_RETURNS_MAX)
    return { ...told, freeReturns: returns + 1, feedback: [verdict.error], phase: { at: 'working' } }
  if (resolution !== null) return escalate(told, verdict.error)
  if (verdict.is === 'unverified' && verdict.mendedBy === 'operator') return escalate(told, verdict.error)
  const last: Trace = { tree, error: verdict.error }
  return failAttempt({ ...told, recent: [...attempt.recent.slice(0, -1), last] }, verdict.error, [verdict.error])
}

/**
 * Thin evidence goes back to the agent once in a task, and so do sealed examples that fail; a person who vouches for a
 * fix is asked nothing more.
 */
export function goesBack(
  { thinTold, sealedTold }: Pick<Attempt, 'thinTold' | 'sealedTold'>,
  resolution: Resolution | null,
  strength: Strength | undefined,
  sealed: string | undefined,
): boolean {
  const isNews = (strength === 'thin' && thinTold !== true) || (sealed !== undefined && sealedTold !== true)
  return isNews && resolution === null
}

/** A check that rewrites its tree in every run would go on for ever. */
const FREE_RETURNS_MAX = 2

const THIN =
  'The checks are green, but nothing shows that they see this change. Add or correct tests that fail without it, then say again that the task is done; if no test can show it, say so and why.'

/**
 * One more iteration, on the same tree: it costs no attempt, and happens once in a task for thin evidence and once for
 * sealed examples.
 */
function toldOnce(attempt: Attempt, { strength, sentence, sealed }: FactOf<'verified'>): Attempt {
  const isThin = strength === 'thin' && attempt.thinTold !== true
  const isSealed = sealed !== undefined && attempt.sealedTold !== true
  const feedback = [...(isThin ? [`${sentence ?? 'thin'}. ${THIN}`] : []), ...(isSealed ? [sealed] : [])]
  const marks = { ...(isThin ? { thinTold: true as const } : {}), ...(isSealed ? { sealedTold: true as const } : {}) }
  return { ...attempt, ...marks, feedback, phase: { at: 'working' } }
}

export function afterReview(attempt: Attempt, fact: FactOf<'reviewed'>): Attempt {
  if (attempt.phase.at === 'objecting') return afterObjection(attempt, attempt.phase.reason, fact)
  const { tree, evidence } = inPhase(attempt, fact, 'reviewing')
  const { decision } = fact
  switch (decision.is) {
    case 'approve':
      return { ...attempt, phase: { at: 'merging', tree, proof: { by: 'evidence', evidence }, resolution: null } }
    case 'request_changes':
      return sentBack(attempt, [...fact.reasons, ...decision.requiredFixes])
    case 'needs_human':
      return escalate(attempt, decision.reason)
  }
}

function sentBack(attempt: Attempt, said: readonly string[]): Attempt {
  const told = [...new Set(said)]
  const error = `review: ${told.length > 0 ? told.join('; ') : 'changes requested'}`
  return failAttempt({ ...attempt, recent: withAnswer(attempt.recent, error) }, error, told)
}

function objectionQuestion(objection: string, reasons: readonly string[]): string {
  return [
    `the agent says that a check is wrong: ${objection}`,
    `Review: ${reasons.length === 0 ? 'no reason was given' : reasons.join('; ')}`,
    'If the check is wrong, mend it in the folder of the task and resolve the task; if it is right, answer why.',
  ].join('\n')
}

/** The agent says that a check is wrong. It costs no attempt: a reviewer who disagrees sends it back to work. */
function afterObjection(attempt: Attempt, objection: string, fact: FactOf<'reviewed'>): Attempt {
  if (fact.decision.is !== 'request_changes') return escalate(attempt, objectionQuestion(objection, fact.reasons))
  const feedback = [...fact.reasons, ...fact.decision.requiredFixes]
  const answer = `the agent says that a check is wrong (${objection}), and the review does not agree${feedback.length === 0 ? '' : `: ${feedback.join('; ')}`}`
  return stillWorking({ ...attempt, feedback, recent: withAnswer(attempt.recent, answer) })
}

export function afterRefusedMerge(attempt: Attempt, fact: FactOf<'mergeRefused'>): Attempt {
  const { resolution } = inPhase(attempt, fact, 'merging')
  const moved = { ...attempt, tree: fact.tree ?? attempt.tree, lastError: fact.error }
  if (resolution !== null) return escalate(moved, fact.error)
  return failAttempt({ ...moved, recent: withAnswer(moved.recent, fact.error) }, fact.error, [fact.error])
}
