// Thin evidence and sealed examples that fail go back to the agent once each, without costing an attempt.
import { expect, it } from 'vitest'
import { attemptAt, CAUSES, evidence, PHASES, tree } from '../../../test/arbitraries/sample-facts.ts'
import { apply, type Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import { needsSecondLook } from './review.ts'
import type { SealedReport } from '../sealed/judge-examples.ts'

const verifying = attemptAt(PHASES.verifying)
const green = { ...CAUSES.verified, verdict: { is: 'green' } } as const
const sealed = '2 of 3 sealed examples do not hold'
const thin = { strength: 'thin', sentence: 'thin: no test' } as const
const reviewing = { at: 'reviewing', tree: tree('t1'), evidence: evidence('e1') }
const THIN = expect.stringMatching(/^thin: no test\. The checks are green/) as string

it.each<[string, Partial<Attempt>, Partial<Extract<Cause, { type: 'verified' }>>, Partial<Attempt>]>([
  ['thin', {}, thin, { thinTold: true, feedback: [THIN], phase: { at: 'working' } }],
  ['sealed', {}, { sealed, strength: 'proved' }, { sealedTold: true, feedback: [sealed], phase: { at: 'working' } }],
  ['both', {}, { ...thin, sealed }, { thinTold: true, sealedTold: true, feedback: [THIN, sealed] }],
  ['sealed, after thin was told', { thinTold: true }, { ...thin, sealed }, { sealedTold: true, feedback: [sealed] }],
])('%s is told', (_, marks, told, expected) => {
  const before = { ...verifying, ...marks }
  const after = apply(before, { ...green, ...told })
  expect(after).toMatchObject(expected)
  expect([after.number, after.failures]).toEqual([before.number, before.failures])
})

it.each<[string, Partial<Attempt>, Partial<Extract<Cause, { type: 'verified' }>>]>([
  ['thin', { thinTold: true }, thin],
  ['sealed', { sealedTold: true }, { sealed }],
  ['both', { thinTold: true, sealedTold: true }, { ...thin, sealed }],
])('%s is told once, then the review decides', (_, marks, told) => {
  expect(apply({ ...verifying, ...marks }, { ...green, ...told }).phase).toEqual(reviewing)
})

it('a red result says nothing about sealed examples', () => {
  const red = { ...CAUSES.verified, verdict: { is: 'red', error: 'red' }, sealed } as const
  expect(apply(verifying, red)).toMatchObject({ feedback: ['red'], failures: 1 })
})

it("a person's own fix is not sent back", () => {
  const resolution = { by: 'ada', text: 'mine' }
  const phase = { at: 'verifying', tree: tree('t1'), resolution } as const
  expect(apply({ ...verifying, phase }, { ...green, sealed }).phase.at).toBe('merging')
})

it.each<[SealedReport['outcome'], boolean]>([
  ['none', false],
  ['hold', false],
  ['someFail', false],
  ['mostFail', true],
])('examples that %s need a second look: %s', (outcome, needed) => {
  const report: SealedReport = {
    total: 3,
    counted: 3,
    passed: 0,
    onBase: 0,
    failed: [],
    missing: [],
    unsteady: [],
    unclear: [],
    outcome,
    readable: true,
  }
  expect(needsSecondLook({ findings: [], probes: { strength: 'proved', sealed: report } })).toBe(needed)
})
