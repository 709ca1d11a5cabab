// Whatever fails, and however often, the machine asks a human within a number of facts that follows from the limits.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CAUSES, fresh, tree } from '../../../test/arbitraries/sample-facts.ts'
import { aRoll, inside, type Roll, someLimits } from '../../../test/arbitraries/walks.ts'
import { apply, type Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import { TECHNIQUES } from '../role-answers/sia.ts'

/**
 * An attempt is longest when all its iterations but the last are objections that the reviewer rejects (2 facts each) and
 * the last one is completed, verified, approved and then refused by the branch (4). Every round of failed attempts but
 * the last ends in an intervention (1); the last ends in the question (1).
 */
function factsMax({ attempts, interventions, iterations }: Attempt['limits']): number {
  const helped = Math.min(interventions, TECHNIQUES.length)
  return (helped + 1) * attempts * (2 * (iterations - 1) + 4) + helped + 1
}

/** The number of facts until the task waits for a human; gives up one past the bound. */
function factsUntilWaiting(limits: Attempt['limits'], pick: (attempt: Attempt, step: number) => Cause): number {
  let attempt = fresh(limits)
  for (let step = 0; step <= factsMax(limits); step += 1) {
    if (attempt.phase.at === 'waiting') return step
    attempt = apply(attempt, pick(attempt, step))
  }
  return Number.POSITIVE_INFINITY
}

/** The possible outcomes of an effect, except those that settle the task. */
function failing(attempt: Attempt, roll: Roll, step: number): Cause {
  const bad = inside(attempt, roll, step).filter(
    (fact) => fact.type !== 'merged' && !(fact.type === 'intervened' && fact.intervention.type === 'decomposed'),
  )
  return bad[roll.pick % bad.length] ?? CAUSES.interrupted
}

describe('a task that only ever fails', () => {
  it('waits for a human within the bound', () => {
    fc.assert(
      fc.property(someLimits, fc.array(aRoll, { minLength: 1, maxLength: 50 }), (limits, rolls) => {
        const roll = (step: number) => rolls[step % rolls.length] ?? { pick: 0, outside: 0, tree: 0, text: 0 }
        const facts = factsUntilWaiting(limits, (attempt, step) => failing(attempt, roll(step), step))
        expect(facts).toBeLessThanOrEqual(factsMax(limits))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    { attempts: 1, interventions: 0, iterations: 1 },
    { attempts: 3, interventions: 3, iterations: 10 },
    { attempts: 2, interventions: 12, iterations: 4 },
  ])('and the bound is reached: %o', (limits) => {
    expect(factsUntilWaiting(limits, slowest)).toBe(factsMax(limits))
  })
})

/** The most facts possible, with a new tree each time so that the work never looks stuck. */
function slowest(attempt: Attempt, step: number): Cause {
  const about = { attempt: attempt.number }
  const { phase, iteration, limits } = attempt
  if (phase.at === 'working') {
    const signal =
      iteration + 1 < limits.iterations
        ? ({ kind: 'CHECK_WRONG', reason: 'it expects 5' } as const)
        : ({ kind: 'TASK_COMPLETE' } as const)
    return { ...CAUSES.iterationDone, ...about, iteration: iteration + 1, signal, tree: tree(`t${step}`) }
  }
  if (phase.at === 'objecting')
    return { ...CAUSES.reviewed, ...about, decision: { is: 'request_changes', requiredFixes: [] } }
  if (phase.at === 'verifying') return { ...CAUSES.verified, ...about, tree: phase.tree }
  if (phase.at === 'reviewing') return { ...CAUSES.reviewed, ...about }
  if (phase.at === 'merging') return { ...CAUSES.mergeRefused, ...about }
  if (phase.at === 'escalating') return CAUSES.humanNeeded
  const technique = TECHNIQUES[attempt.interventions] ?? 'fresh_start'
  return {
    ...CAUSES.intervened,
    interventionNumber: attempt.interventions + 1,
    intervention: { type: 'fixed', technique, task: {} },
  }
}
