import { describe, expect, it } from 'vitest'
import type { Break, SkippedProbe } from '../evidence/probe-report.ts'
import type { ExampleResult } from '../sealed/example-result.ts'
import { judgeExamples } from '../sealed/judge-examples.ts'
import { type Examined, strengthOf, TURNED_OFF } from './strength.ts'

const killed: Break = {
  how: 'emptied',
  paths: ['src/cart.js'],
  line: null,
  what: 'src/cart.js is emptied',
  result: 'noticed',
  by: ['adds'],
  ms: 10,
}
const survived: Break = { ...killed, result: 'survived', by: [] }
const unclear: Break = { ...killed, result: 'unclear', by: [] }
const mutant = (line: number, result: Break['result']): Break => ({
  ...killed,
  how: 'mutant',
  line,
  what: `src/cart.js:${line}: < became <=`,
  result,
})
const witnesses = { tests: ['adds'], count: 3, by: ['base'] } as const
const nothing: Examined = {
  claim: 'behaviour',
  kind: 'code',
  witnesses: { tests: [], count: 0, by: [] },
  newTests: 0,
  breaks: [],
  skipped: [],
  accepted: [],
}
const tried = (text: string): ExampleResult[] =>
  [...text].map((letter) => ({ is: letter === 'h' ? 'holds' : 'fails', answer: '' }))
const late = (probe: SkippedProbe['probe']): SkippedProbe => ({ probe, why: 'no time left' })
const off = (probe: SkippedProbe['probe']): SkippedProbe => ({ probe, why: TURNED_OFF })

const rows: readonly (readonly [sentence: string, examined: Partial<Examined>])[] = [
  ['proved: 3 tests fail without this change; 1 of 1 break noticed', { witnesses, breaks: [killed] }],
  [
    'proved: 3 tests fail without this change; 1 of 2 mutants noticed (not noticed: src/cart.js:12: < became <=)',
    { witnesses, breaks: [killed, mutant(12, 'survived'), mutant(14, 'noticed')] },
  ],
  [
    'proved: 3 tests fail without this change; 1 of 1 break noticed; 2 of 3 sealed examples hold',
    {
      witnesses,
      breaks: [killed],
      sealed: { ...judgeExamples(tried('fff'), [tried('hhf'), tried('hhf')]), readable: true },
    },
  ],
  ['thin: no test fails without this change', { breaks: [killed] }],
  ['thin: no test fails when src/cart.js is emptied', { breaks: [survived] }],
  [
    'thin: no test fails when src/cart.js is emptied, although 3 tests fail without this change',
    { witnesses, breaks: [survived] },
  ],
  [
    'thin: the changed code cannot be broken in a way that still builds, so nothing shows that a test sees it',
    { breaks: [unclear] },
  ],
  ['thin: nothing shows that a test sees this change', {}],
  ['kept: nothing new is claimed; 1 of 1 break noticed', { claim: 'none', breaks: [killed] }],
  ['thin: no test fails when src/cart.js is emptied', { claim: 'none', breaks: [survived] }],
  ['kept: nothing new is claimed, and no check reads the changed files', { claim: 'none', kind: 'data' }],
  ['thin: nothing shows that a test sees this change', { kind: 'data' }],
  ['kept: nothing that runs was changed, and every check is green', { claim: 'none', kind: 'inert' }],
  ['thin: nothing that runs was changed', { kind: 'inert' }],
  ['kept: only generated files were changed, and every check is green', { claim: 'none', kind: 'generated' }],
  ['thin: nothing was changed', { kind: 'nothing' }],
  [
    'proved: 3 tests fail when the code is broken; 1 of 1 break noticed',
    { claim: 'none', kind: 'tests', witnesses, newTests: 3, breaks: [killed] },
  ],
  [
    'thin: no new test fails when the code that it uses is broken',
    { claim: 'none', kind: 'tests', newTests: 1, breaks: [killed] },
  ],
  [
    'kept: only tests were changed, and none is new; 1 of 1 break noticed',
    { claim: 'none', kind: 'tests', breaks: [killed] },
  ],
  ['thin: only tests were changed', { kind: 'tests', witnesses, newTests: 3, breaks: [killed] }],
  [
    'proved: 3 tests fail without this change; sabotage was left out (no time left)',
    { witnesses, skipped: [late('sabotage')] },
  ],
  [
    'proved: 1 of 1 break noticed; witness was left out (no time left)',
    { breaks: [killed], skipped: [late('witness')] },
  ],
  ['thin: no test fails when src/cart.js is emptied', { breaks: [survived], skipped: [late('witness')] }],
  ['thin: nothing shows that a test sees this change', { skipped: [late('witness'), late('sabotage')] }],
  [
    'kept: the checks are green; the probes witness and sabotage are turned off',
    { skipped: [off('witness'), off('sabotage')] },
  ],
  ['kept: [evidence] accept covers every changed file (**/*.css)', { kind: 'data', accepted: ['**/*.css'] }],
]

describe('the strength of evidence', () => {
  it.each(rows)('%s', (sentence, examined) => {
    const verdict = strengthOf({ ...nothing, ...examined })
    expect(verdict.sentence).toBe(sentence)
    expect(verdict.strength).toBe(sentence.split(':')[0])
  })
})
