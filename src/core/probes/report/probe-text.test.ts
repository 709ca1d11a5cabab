import { describe, expect, it } from 'vitest'
import type { ProbeReport } from '../../evidence/probe-report.ts'
import { mergedStrength, probeLines, questionReason, shortSentence, verifiedText } from './probe-text.ts'
import type { EvidenceId } from '../../values/id.ts'

const probes: ProbeReport = {
  strength: 'proved',
  sentence: 'proved: 2 tests fail without this change; 1 of 2 mutants noticed (not noticed: a.js:3: `(` became `)`)',
  claim: 'behaviour',
  kind: 'code',
  witnesses: { tests: ['one', 'two'], count: 7, by: ['base'] },
  newTests: 2,
  breaks: [
    { how: 'mutant', paths: ['a.js'], line: 3, what: 'a.js:3: `(` became `)`', result: 'survived', by: [], ms: 1 },
    { how: 'mutant', paths: ['a.js'], line: 4, what: 'a.js:4: x', result: 'noticed', by: ['one'], ms: 1 },
  ],
  flaky: [{ check: 'unit', name: 'now and then', failed: 2, runs: 7, on: 'base' }],
  skipped: [{ probe: 'sealed', why: 'turned off' }],
  notes: ['1 break was left out: no time left'],
  accepted: [],
  budgetMs: 1,
  spentMs: 1,
}
const SHORT = 'proved: 2 tests fail without this change; 1 of 2 mutants noticed'
const THIN = 'thin: no test fails when a.js is emptied'
const thin = { probes: { ...probes, strength: 'thin', sentence: THIN }, findings: [], secondOpinion: null } as const
const finding = { rule: 'testEdited', path: 'a.test.js', line: 3, what: 'was edited' } as const

describe('the words of the probes', () => {
  it('the short sentence leaves out what nobody noticed, which the lines below it name', () => {
    expect(shortSentence(probes.sentence)).toBe(SHORT)
    expect(probeLines(probes)).toEqual([
      "fails without this change: 'one', 'two' and 5 more",
      'no test noticed: a.js:3: `(` became `)`',
      "'now and then' is flaky: it failed in 2 of 7 runs (on the base)",
      'sealed was left out: turned off',
      '1 break was left out: no time left',
    ])
  })

  it.each([
    [{}, 'green'],
    [{ strength: 'proved', sentence: SHORT }, SHORT],
    [{ strength: 'thin', sentence: THIN, sentBack: true }, `${THIN}; back to the agent, no attempt spent`],
  ] as const)('of a verification %j', (fact, text) => {
    expect(verifiedText(fact)).toBe(text)
  })

  it('of a merged tree', () => {
    const proof = { by: 'evidence', evidence: 'sha256:e' as EvidenceId } as const
    expect(mergedStrength(proof, { probes })).toEqual({ strength: 'proved', sentence: probes.sentence })
    expect(mergedStrength(proof, {})).toEqual({ strength: null, sentence: null })
    expect(mergedStrength({ by: 'person', person: 'ada' }, null)).toEqual({
      strength: 'unverified',
      sentence: 'unverified: ada took it over without evidence',
    })
  })
})

describe('a question to a human', () => {
  const reason = 'the reviewer gave no usable answer'
  it('names what was verified last, where the reason does not', () => {
    const last = { ...thin, findings: [finding], verdict: 'green' } as const
    expect(questionReason(reason, last)).toBe(
      `${reason}\n\nWhat was verified last needs a look:\n${THIN}\na.test.js:3: was edited`,
    )
    expect(questionReason(`${THIN}; a.test.js:3: was edited`, last)).toBe(`${THIN}; a.test.js:3: was edited`)
  })

  it.each([
    ['nothing was verified', undefined],
    ['it was red', { ...thin, verdict: 'red' }],
    ['nobody has to look', { ...thin, probes, verdict: 'green' }],
  ] as const)('is as it was where %s', (_, last) => {
    expect(questionReason(reason, last)).toBe(reason)
  })
})
