// The laws of every path through the machine, whatever agents, checks, reviewers and people do.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CAUSES, fresh } from '../../../test/arbitraries/sample-facts.ts'
import { aRoll, forAllWalks, humanWords, someLimits, walk } from '../../../test/arbitraries/walks.ts'
import { apply, type Attempt, next, type Phase } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import type { TreeId } from '../values/id.ts'
import { STUCK_AFTER, TRACES_KEPT } from './stuck.ts'

describe('the walks', () => {
  it('reach every phase, by every fact, to every settlement', () => {
    const samples = fc.sample(fc.tuple(someLimits, fc.array(aRoll, { minLength: 120, maxLength: 120 })), {
      seed: 1,
      numRuns: 100,
    })
    const steps = samples.flatMap(([limits, rolls]) => walk(limits, rolls))
    expect(seen(steps.map(({ fact }) => fact.type))).toEqual(Object.keys(CAUSES).toSorted())
    expect(seen(steps.map(({ after }) => label(after.phase)))).toEqual([
      'escalating',
      'intervening',
      'limited',
      'merging',
      'objecting',
      'reviewing',
      'settled done',
      'settled skipped',
      'settled split',
      'verifying',
      'waiting',
      'working',
    ])
  })
})

function seen(names: string[]): string[] {
  return [...new Set(names)].toSorted()
}

function label(phase: Phase): string {
  return phase.at === 'settled' ? `settled ${phase.as.is}` : phase.at
}

describe('bounds', () => {
  it('failures, interventions and iterations never pass their limits', () => {
    forAllWalks((steps) => {
      for (const { failures, interventions, iteration, limits } of steps.map((step) => step.after)) {
        expect(failures).toBeLessThanOrEqual(limits.attempts)
        expect(interventions).toBeLessThanOrEqual(limits.interventions)
        expect(iteration).toBeLessThanOrEqual(limits.iterations)
      }
    })
  })

  it('attempt numbers only grow, by one, and no iteration of an attempt comes twice', () => {
    forAllWalks((steps) => {
      for (const { before, after } of steps) expect([0, 1]).toContain(after.number - before.number)
      const iterated = steps.flatMap(({ fact }) =>
        fact.type === 'iterationDone' ? [`${fact.attempt}/${fact.iteration}`] : [],
      )
      expect(iterated).toEqual([...new Set(iterated)])
    })
  })

  it('no technique is tried twice', () => {
    forAllWalks((steps) => {
      const last = steps.at(-1)?.after ?? fresh()
      expect(last.techniques).toEqual([...new Set(last.techniques)])
      expect(last.techniques.length).toBeLessThanOrEqual(last.interventions)
    })
  })

  it('keeps no more traces than tell whether the work is stuck', () => {
    forAllWalks((steps) => {
      for (const { after } of steps) expect(after.recent.length).toBeLessThanOrEqual(TRACES_KEPT)
    })
  })
})

describe('what to do next', () => {
  it('is nothing exactly where a human is waited for or the task is settled', () => {
    forAllWalks((steps) => {
      for (const { after } of steps)
        expect(next(after) === null).toBe(after.phase.at === 'waiting' || after.phase.at === 'settled')
    })
  })

  it('after a limit is what it was before, with one more wait', () => {
    forAllWalks((steps) => {
      for (const { before } of steps.filter(
        (step) => step.fact.type === 'limited' && step.before.phase.at !== 'limited',
      ))
        expect(apply(apply(before, CAUSES.limited), CAUSES.waited)).toEqual({ ...before, waits: before.waits + 1 })
    })
  })

  it('is derived from the log alone: folding its causes again gives the same attempt', () => {
    forAllWalks((steps) => {
      const log: Cause[] = JSON.parse(JSON.stringify(steps.map((step) => step.fact)))
      const first = steps[0]?.before ?? fresh()
      expect(log.reduce(apply, first)).toEqual(steps.at(-1)?.after ?? first)
    })
  })
})

describe('evidence or nothing', () => {
  it('a tree comes to be merged only by green evidence of that very tree, or by a person who accepted it by name', () => {
    forAllWalks((steps) => {
      const backing = new Map<string, TreeId>()
      for (const { fact, after } of steps) {
        if (fact.type === 'verified' && fact.verdict.is === 'green') backing.set(fact.evidence, fact.tree)
        if (fact.type === 'taskResolved' && fact.accepted === 'unverified') backing.set(fact.by, fact.tree)
        const { phase } = after
        expect(phase.at !== 'merging' || backing.get(backer(phase)) === phase.tree).toBe(true)
      }
    })
  })

  it('what is merged is what was verified; another tree has evidence of its own or the name of who answers for it', () => {
    forAllWalks((steps) => {
      for (const { before, after } of steps) {
        if (before.phase.at !== 'merging' || after.phase.at !== 'settled' || after.phase.as.is !== 'done') continue
        const { tree: merged, proof } = after.phase.as
        const asVerified = merged === before.phase.tree && backer(after.phase.as) === backer(before.phase)
        const provedAnew = proof.by === 'evidence' && backer(after.phase.as) !== backer(before.phase)
        const sameName = proof.by === 'person' && backer(after.phase.as) === backer(before.phase)
        expect(asVerified || provedAnew || sameName).toBe(true)
      }
    })
  })

  it('a task is done by a merge and by nothing else', () => {
    forAllWalks((steps) => {
      for (const { after, fact } of steps) expect(label(after.phase) === 'settled done').toBe(fact.type === 'merged')
    })
  })
})

function backer({ proof }: Pick<Extract<Phase, { at: 'merging' }>, 'proof'>): string {
  return proof.by === 'person' ? proof.person : proof.evidence
}

describe('a waiting task', () => {
  it('has its four ways out wherever it was met', () => {
    const ways = [...humanWords('mended'), CAUSES.taskSkipped]
    forAllWalks((steps) => {
      for (const { after } of steps.filter((step) => step.after.phase.at === 'waiting'))
        expect(ways.map((fact) => label(apply(after, fact).phase))).toEqual([
          'verifying',
          'merging',
          'working',
          'working',
          'settled skipped',
        ])
    })
  })

  it('starts over with a clean count of failures', () => {
    forAllWalks((steps) => {
      const again = steps.filter(({ fact }) => fact.type === 'taskRetried' || fact.type === 'taskAnswered')
      for (const { before, after } of again)
        expect(cost(after)).toEqual({ failures: 0, number: before.number + 1, interventions: before.interventions })
    })
  })
})

const free = new Set([
  'limited',
  'waited',
  'interrupted',
  'humanNeeded',
  'verified green',
  'unverified operator',
  'CHECK_WRONG',
])

describe('what costs no attempt', () => {
  it('limits, interruptions, objections, questions, and faults that are the operator’s', () => {
    forAllWalks((steps) => {
      for (const { before, after } of steps.filter(({ fact }) => free.has(nature(fact))))
        expect(cost(after)).toEqual(cost(before))
    })
  })

  it('an objection that the reviewer rejects costs one only where the work is stuck or its iterations are spent', () => {
    forAllWalks((steps) => {
      const costly = steps.filter(
        ({ before, after }) => before.phase.at === 'objecting' && after.failures > before.failures,
      )
      for (const { before } of costly)
        expect(before.iteration === before.limits.iterations || before.recent.length >= STUCK_AFTER).toBe(true)
    })
  })
})

function nature(fact: Cause): string {
  if (fact.type === 'verified')
    return fact.verdict.is === 'unverified' ? `unverified ${fact.verdict.mendedBy}` : `verified ${fact.verdict.is}`
  return fact.type === 'iterationDone' ? (fact.signal?.kind ?? 'no signal') : fact.type
}

function cost({ failures, number, interventions }: Attempt) {
  return { failures, number, interventions }
}

describe('a human’s own fix', () => {
  it('is what is verified and merged, not what the agent left', () => {
    forAllWalks((steps) => {
      const given = steps.flatMap(({ fact }) => (fact.type === 'taskResolved' ? [[fact.tree, fact.by]] : []))
      const taken = steps.flatMap(({ fact, after }) => (fact.type === 'taskResolved' ? [resolved(after)] : []))
      expect(taken).toEqual(given)
    })
  })
})

function resolved({ phase, tree: last }: Attempt) {
  const isOnItsWay = phase.at === 'verifying' || phase.at === 'merging'
  return isOnItsWay && phase.tree === last ? [phase.tree, phase.resolution?.by] : []
}
