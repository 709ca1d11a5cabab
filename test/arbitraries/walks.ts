// Random walks through the machine: each roll picks one of the facts that fit the phase the walk is in.
import * as fc from 'fast-check'
import { apply, type Attempt } from '../../src/core/attempt/attempt.ts'
import type { Cause, Decision, Proof, Verdict } from '../../src/core/fact/fact.ts'
import type { CommitId } from '../../src/core/values/id.ts'
import { type Intervention, TECHNIQUES, untriedTechniques } from '../../src/core/role-answers/sia.ts'
import type { Signal } from '../../src/core/session/signal.ts'
import { CAUSES, commit, evidence, FITS, fresh, tree } from './sample-facts.ts'

export interface Step {
  readonly before: Attempt
  readonly fact: Cause
  readonly after: Attempt
}

/** Small numbers that a fact is made from; few trees and few texts, so that work gets stuck now and then. */
export interface Roll {
  readonly pick: number
  readonly outside: number
  readonly tree: number
  readonly text: number
}

export const aRoll: fc.Arbitrary<Roll> = fc.record({
  pick: fc.nat(59),
  outside: fc.nat(39),
  tree: fc.nat(5),
  text: fc.nat(3),
})

/** Up to 12 interventions: two more than there are techniques. */
export const someLimits: fc.Arbitrary<Attempt['limits']> = fc.record({
  attempts: fc.integer({ min: 1, max: 4 }),
  interventions: fc.integer({ min: 0, max: 12 }),
  iterations: fc.integer({ min: 1, max: 4 }),
})

export function forAllWalks(check: (steps: readonly Step[]) => void, numRuns = 200): void {
  fc.assert(
    fc.property(someLimits, fc.array(aRoll, { maxLength: 120, size: 'max' }), (limits, rolls) => {
      check(walk(limits, rolls))
    }),
    { numRuns },
  )
}

export function walk(limits: Attempt['limits'], rolls: readonly Roll[]): Step[] {
  const steps: Step[] = []
  let before = frozen(fresh(limits))
  for (const [index, roll] of rolls.entries()) {
    const fact = fittingFact(before, roll, index)
    if (fact === null) break
    const after = frozen(apply(before, frozen(fact)))
    steps.push({ before, fact, after })
    before = after
  }
  return steps
}

/** Null where nothing fits any more: the task was skipped or split. */
function fittingFact(attempt: Attempt, roll: Roll, step: number): Cause | null {
  const fits = (type: Cause['type']) => FITS[type].includes(attempt.phase.at)
  const outside = [CAUSES.taskSkipped, CAUSES.limited, CAUSES.interrupted, CAUSES.limited, CAUSES.interrupted]
  const disturbed =
    roll.outside === outside.length && attempt.phase.at !== 'settled' ? rejected(attempt) : outside[roll.outside]
  if (disturbed !== undefined && fits(disturbed.type)) return disturbed
  const choices = inside(attempt, roll, step)
  return choices[roll.pick % Math.max(choices.length, 1)] ?? null
}

/** The possible outcomes of the current effect or of the awaited human. */
export function inside(attempt: Attempt, roll: Roll, step: number): Cause[] {
  const { phase, number } = attempt
  const on = { taskId: attempt.task }
  const about = { ...on, attempt: number }
  const text = `text ${roll.text}`
  const proof = evidence(`e${step}`)
  switch (phase.at) {
    case 'working': {
      const error = roll.text === 0 ? null : text
      const left = { ...about, iteration: attempt.iteration + 1, tree: tree(`t${roll.tree}`), error }
      return signals(text).map((signal) => ({ type: 'iterationDone', ...left, signal }))
    }
    case 'verifying':
      return verdicts(text).map((verdict) => ({
        type: 'verified',
        ...about,
        tree: phase.tree,
        verdict,
        evidence: proof,
      }))
    case 'reviewing':
    case 'objecting':
      return decisions(text).map((decision) => ({ type: 'reviewed', ...about, decision, reasons: [text] }))
    case 'merging': {
      const merged = { type: 'merged', ...about, commit: commit(`c${step}`) } as const
      const again: Proof = phase.proof.by === 'person' ? phase.proof : { by: 'evidence', evidence: proof }
      return [
        { ...merged, tree: phase.tree, proof: phase.proof },
        { ...merged, tree: tree(`moved ${step}`), proof: again },
        { type: 'mergeRefused', ...about, error: text, tree: roll.tree === 0 ? null : tree(`t${roll.tree}`) },
      ]
    }
    case 'intervening':
      return interventions(attempt, roll).map((intervention) => ({
        type: 'intervened',
        ...on,
        interventionNumber: attempt.interventions + 1,
        intervention,
      }))
    case 'escalating':
      return [CAUSES.humanNeeded]
    case 'limited':
      return [CAUSES.waited]
    case 'waiting':
      return humanWords(`t${roll.tree}`)
    case 'settled':
      return phase.as.is === 'done' ? undone(attempt, phase.as.commit) : []
  }
}

function rejected({ number }: Attempt) {
  return { ...CAUSES.statusRejected, attempt: number }
}

function undone(attempt: Attempt, merged: CommitId): Cause[] {
  return [
    { ...CAUSES.taskReverted, commit: merged },
    { ...rejected(attempt), lost: merged },
  ]
}

export function humanWords(fixed: string): Cause[] {
  return [
    { ...CAUSES.taskResolved, tree: tree(fixed) },
    { ...CAUSES.taskResolved, tree: tree(fixed), accepted: 'unverified' },
    CAUSES.taskRetried,
    CAUSES.taskAnswered,
  ]
}

function signals(reason: string): (Signal | null)[] {
  return [
    { kind: 'ITERATION_DONE' },
    null,
    { kind: 'TASK_COMPLETE' },
    { kind: 'TASK_COMPLETE' },
    { kind: 'TASK_STUCK', reason },
    { kind: 'CHECK_WRONG', reason },
  ]
}

function verdicts(error: string): Verdict[] {
  return [
    { is: 'green' },
    { is: 'red', error },
    { is: 'unverified', error, mendedBy: 'agent' },
    { is: 'green' },
    { is: 'red', error },
    { is: 'unverified', error, mendedBy: 'operator' },
  ]
}

function decisions(reason: string): Decision[] {
  return [
    { is: 'approve' },
    { is: 'request_changes', requiredFixes: [reason] },
    { is: 'request_changes', requiredFixes: [] },
    { is: 'needs_human', reason },
  ]
}

function interventions(attempt: Attempt, roll: Roll): Intervention[] {
  const left = untriedTechniques(attempt.techniques)
  const technique = left[roll.tree % left.length] ?? TECHNIQUES[0]
  const subtasks = [{ id: attempt.task, text: { title: 'A part' }, deps: [] }]
  return [
    { type: 'fixed', technique, task: { title: `Title ${roll.text}` } },
    { type: 'fixed', technique, task: {} },
    { type: 'fixed', technique, task: {} },
    { type: 'fixed', technique, task: {} },
    { type: 'escalate', reason: `text ${roll.text}` },
    { type: 'decomposed', technique, subtasks },
  ]
}

/** Deeply frozen: a change in place throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}
