import { describe, expect, it } from 'vitest'
import type { Break, ProbeReport } from '../../evidence/probe-report.ts'
import { compareProbes } from './compare-probes.ts'

const broken = (what: string, result: Break['result'] = 'noticed', how: Break['how'] = 'mutant'): Break => ({
  how,
  paths: ['a.js'],
  line: null,
  what,
  result,
  by: [],
  ms: 1,
})
const emptied = broken('a.js is emptied', 'noticed', 'emptied')
const mutant = broken('a.js:3: < became <=')

function report(changes: Partial<ProbeReport> = {}): ProbeReport {
  return {
    strength: 'proved',
    sentence: 'proved: x',
    claim: 'behaviour',
    kind: 'code',
    witnesses: { tests: ['new'], count: 1, by: ['base'] },
    newTests: 1,
    breaks: [emptied, mutant],
    flaky: [],
    skipped: [],
    notes: [],
    accepted: [],
    budgetMs: 1,
    spentMs: 1,
    ...changes,
  }
}

const none = { tests: [], count: 0, by: [] }
const many = (count: number) => ({ tests: Array.from({ length: 20 }, String), count, by: ['base'] as const })

describe('the same probes again', () => {
  it.each<[string, ProbeReport, ProbeReport, readonly string[], readonly string[]]>([
    ['see the same', report(), report(), [], []],
    ['see more', report(), report({ witnesses: { tests: ['old', 'new'], count: 2, by: ['base'] } }), [], []],
    ['noticed before what survived', report({ breaks: [emptied, broken('a.js:3: x', 'survived')] }), report(), [], []],
    [
      'lack a witness',
      report(),
      report({ witnesses: none }),
      [
        'it was proved and is not any more: thin: no test fails without this change',
        "'new' failed without this change, and does not now",
      ],
      [],
    ],
    [
      'do not notice a break any more',
      report(),
      report({ breaks: [emptied, broken(mutant.what, 'survived')] }),
      ['no test notices any more: a.js:3: < became <='],
      [],
    ],
    [
      'do not notice the whole any more, so no part was tried',
      report(),
      report({ breaks: [broken(emptied.what, 'survived', 'emptied')] }),
      [
        'it was proved and is not any more: thin: no test fails when a.js is emptied, although 1 test fails without this change',
        'no test notices any more: a.js is emptied',
      ],
      [],
    ],
    [
      'cannot build a broken tree this time',
      report(),
      report({ breaks: [broken(emptied.what, 'unclear', 'emptied'), broken(mutant.what, 'unclear')] }),
      [],
      [
        'it could not be built or loaded this time: a.js is emptied',
        'it could not be built or loaded this time: a.js:3: < became <=',
      ],
    ],
    [
      'have no time for a mutant',
      report(),
      report({ breaks: [emptied] }),
      [],
      ['there was no time to repeat: a.js:3: < became <='],
    ],
    [
      'find a mutant on a line that a merge moved',
      report(),
      report({ breaks: [emptied, broken('a.js:9: < became <=')] }),
      [],
      [],
    ],
    ['list only the first of many witnesses', report({ witnesses: many(30) }), report({ witnesses: many(30) }), [], []],
    [
      'count fewer witnesses',
      report({ witnesses: { ...none, count: 3, by: ['count'] } }),
      report({ witnesses: { ...none, count: 2, by: ['count'] } }),
      ['3 tests failed without this change, and 2 do now'],
      [],
    ],
    [
      'were thin and are not',
      report({ strength: 'thin', witnesses: none }),
      report(),
      ['it was thin and is not any more: proved: 1 test fails without this change; 1 of 1 mutant noticed'],
      [],
    ],
  ])('%s', (_, recorded, now, differences, notes) => {
    expect(compareProbes(recorded, now)).toEqual({ differences, notes })
  })
})
