// A fact that does not fit is refused with one kind of error, and changes nothing.
import { describe, expect, it } from 'vitest'
import {
  attemptAt,
  CAUSES,
  evidence,
  FITS,
  fresh,
  PHASES,
  tree,
  commit,
} from '../../../test/arbitraries/sample-facts.ts'
import { forAllWalks, frozen } from '../../../test/arbitraries/walks.ts'
import { apply, type Attempt } from './attempt.ts'
import { RalphError } from '../error/error.ts'
import type { Cause } from '../fact/fact.ts'
import { taskId } from '../values/id.ts'

describe('every phase with every fact', () => {
  const cells = Object.values(PHASES).flatMap((phase) => Object.values(CAUSES).map((fact) => ({ phase, fact })))

  it.each(cells)('$phase.at, $fact.type', ({ phase, fact }) => {
    const fits = FITS[fact.type].includes(phase.at)
    expect(refusal(attemptAt(phase), fact) === null ? 'folded' : 'refused').toBe(fits ? 'folded' : 'refused')
  })
})

const by = (person: string) => ({ by: 'person', person }) as const
const said = (fact: string, phase: string, why: string) =>
  `the fact ${fact} does not fit a task that is ${phase}: ${why}`

describe('a fact of the right kind that is about something else', () => {
  const { iterationDone, verified, reviewed, merged, intervened } = CAUSES
  const resolution = { by: 'ada', text: 'I fixed it' }
  const splits = { type: 'decomposed', technique: 'decomposition', subtasks: [] } as const
  const spent = attemptAt(PHASES.intervening, { techniques: ['fresh_start'] })
  const personal = attemptAt({ ...PHASES.merging, proof: by('ada'), resolution })
  const skipped = attemptAt({ at: 'settled', as: { is: 'skipped', by: 'ada' } })

  it.each<[attempt: Attempt, fact: Cause, message: string]>([
    [
      attemptAt(PHASES.waiting),
      { ...CAUSES.taskRetried, taskId: taskId('logout') },
      said('taskRetried', 'waiting', "it is about task 'logout'"),
    ],
    [
      attemptAt(PHASES.working),
      { ...iterationDone, attempt: 2 },
      said('iterationDone', 'working', 'attempt 1 is under way, not 2'),
    ],
    [
      attemptAt(PHASES.reviewing),
      { ...reviewed, attempt: 0 },
      said('reviewed', 'reviewing', 'attempt 1 is under way, not 0'),
    ],
    [
      attemptAt(PHASES.working),
      { ...iterationDone, iteration: 1 },
      said('iterationDone', 'working', 'iteration 2 is under way, not 1'),
    ],
    [
      attemptAt(PHASES.verifying),
      { ...verified, tree: tree('t2') },
      said('verified', 'verifying', 'tree t1 is to be verified, not t2'),
    ],
    [
      attemptAt(PHASES.intervening),
      { ...intervened, interventionNumber: 2 },
      said('intervened', 'intervening', 'intervention 1 is under way'),
    ],
    [spent, intervened, said('intervened', 'intervening', 'fresh_start was tried before')],
    [
      attemptAt(PHASES.intervening),
      { ...intervened, intervention: splits },
      said('intervened', 'intervening', 'a split needs subtasks'),
    ],
    [
      attemptAt(PHASES.merging),
      { ...merged, tree: tree('t2') },
      said('merged', 'merging', 'its proof is not of tree t2'),
    ],
    [
      attemptAt(PHASES.merging),
      { ...merged, proof: by('ada') },
      said('merged', 'merging', 'its proof is not of tree t1'),
    ],
    [personal, { ...merged, proof: by('eve') }, said('merged', 'merging', 'its proof is not of tree t1')],
    [
      personal,
      { ...merged, proof: { by: 'evidence', evidence: evidence('e7') } },
      said('merged', 'merging', 'its proof is not of tree t1'),
    ],
    [skipped, CAUSES.taskReverted, said('taskReverted', 'settled', 'it was skipped, not merged')],
    [attemptAt(PHASES.waiting), CAUSES.limited, said('limited', 'waiting', 'only a human is waited for')],
    [attemptAt(PHASES.settled), CAUSES.taskSkipped, said('taskSkipped', 'settled', 'it is settled')],
    [attemptAt(PHASES.working), CAUSES.waited, said('waited', 'working', 'it must be limited')],
  ])('%#', (attempt, fact, message) => {
    expect(refusal(attempt, fact)).toBe(message)
  })
})

// Some 20 refusals for each of up to 120 steps.
const WALKS = 50

describe('on any way through the machine', () => {
  it('refuses whatever does not fit, and stays as it was', () => {
    forAllWalks((steps) => {
      for (const { before, fact } of steps) {
        const misfits = [...displaced(before), ...spoiled(fact)]
        const refused = (misfit: Cause) => `the fact ${misfit.type} does not fit a task that is ${before.phase.at}`
        expect(misfits.filter((misfit) => !refusal(before, misfit)?.startsWith(refused(misfit)))).toEqual([])
      }
    }, WALKS)
  })

  it('accepts nothing for a settled task but that it was taken back, or that its row was written by somebody', () => {
    forAllWalks((steps) => {
      for (const { after } of steps.filter((step) => step.after.phase.at === 'settled')) {
        const accepted = Object.values(CAUSES).filter((fact) => refusal(after, current(after, fact)) === null)
        const merged = after.phase.at === 'settled' && after.phase.as.is === 'done'
        expect(accepted.map((fact) => fact.type)).toEqual([...(merged ? ['taskReverted'] : []), 'statusRejected'])
        expect(apply(after, current(after, CAUSES.statusRejected)).phase).toEqual(after.phase)
      }
    })
  })
})

/** Facts that would be right in another phase. */
function displaced(attempt: Attempt): Cause[] {
  return Object.values(CAUSES)
    .filter((fact) => !FITS[fact.type].includes(attempt.phase.at))
    .map((fact) => current(attempt, fact))
}

/** A fitting fact with one thing wrong. */
function spoiled(fact: Cause): Cause[] {
  const wrong: Cause[] = [{ ...fact, taskId: taskId('logout') }]
  if ('attempt' in fact) wrong.push({ ...fact, attempt: fact.attempt + 1 }, { ...fact, attempt: fact.attempt - 1 })
  if ('iteration' in fact) wrong.push({ ...fact, iteration: fact.iteration + 1 })
  if (fact.type === 'verified') wrong.push({ ...fact, tree: tree('never seen') })
  if (fact.type === 'taskReverted') wrong.push({ ...fact, commit: commit('never merged') })
  if (fact.type === 'intervened') wrong.push({ ...fact, interventionNumber: fact.interventionNumber + 1 })
  return wrong
}

function current(attempt: Attempt, fact: Cause): Cause {
  const { phase } = attempt
  if (fact.type === 'taskReverted' && phase.at === 'settled' && phase.as.is === 'done')
    return { ...fact, commit: phase.as.commit }
  return 'attempt' in fact ? { ...fact, attempt: attempt.number } : fact
}

/**
 * The sentence of a refused fact; null where it is folded. No other kind of error may occur, such as one from a change
 * of the frozen attempt.
 */
function refusal(attempt: Attempt, fact: Cause): string | null {
  try {
    apply(frozen(attempt), frozen(fact))
    return null
  } catch (error) {
    if (error instanceof RalphError && error.code === 'FACT_REFUSED') return error.message
    throw error
  }
}

describe('a fresh attempt', () => {
  it('starts its first iteration and nothing else', () => {
    expect(refusal(fresh(), { ...CAUSES.iterationDone, iteration: 1 })).toBe(null)
    expect(refusal(fresh(), CAUSES.iterationDone)).toBe(
      'the fact iterationDone does not fit a task that is working: iteration 1 is under way, not 2',
    )
  })
})
