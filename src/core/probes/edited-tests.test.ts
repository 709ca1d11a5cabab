import { describe, expect, it } from 'vitest'
import { type BaseTestsRun, judgeFindings, withoutEditedTests } from './edited-tests.ts'
import type { CheckRun } from '../evidence/evidence.ts'
import { FINDING_RULES, type Finding, type FindingRule, TEST_EDITED } from '../fact/finding.ts'

function unit(passed: readonly string[], changes: Partial<CheckRun> = {}): CheckRun {
  return {
    name: 'unit',
    kind: 'check',
    checkHash: 'sha256:1',
    argv: [],
    exit: 0,
    how: 'exited',
    durationMs: 1,
    tests: { source: 'x', run: passed.length, failed: 0, skipped: 0 },
    names: { passed, failed: [], skipped: [] },
    outputDigest: '',
    outputTail: '',
    report: null,
    cached: false,
    ...changes,
  }
}

const finding = (rule: FindingRule, path = 'b.test.js', what = 'x'): Finding => ({ rule, path, line: null, what })
const edited = finding('testEdited', 'a.test.js', TEST_EDITED)
const renamed = finding('testEdited', 'b.test.js', 'the test file a.test.js that existed before was renamed to this')
const run = (checks: readonly CheckRun[], baseline = [unit(['a', 'b'])], again: readonly CheckRun[] = []) => ({
  baseline,
  again,
  checks,
})
const green = run([unit(['a', 'b', 'new'])])
const without = { findings: [], notes: ["a.test.js was edited; the base's own tests are green on the new code"] }

const settled = (found: readonly Finding[], seen: BaseTestsRun | null) =>
  withoutEditedTests({ found, run: seen, sameTests: new Set(), hasWitness: false })

describe('an edited test file', () => {
  it.each<[string, BaseTestsRun | null]>([
    ['the tests of the base are green', green],
    ['they are, and one of them was red before', run([unit(['a', 'b'])], [redBefore()])],
    ['only their number is known', run([counted(2)], [counted(2)])],
    ['some names change from run to run', run([unit(['a', '3'])], [unit(['a', '1'])], [unit(['a', '2'])])],
  ])('needs no second look where %s', (_, seen) => {
    expect(settled([edited], seen)).toEqual(without)
  })

  it.each<[string, BaseTestsRun | null]>([
    ['no second run was made', null],
    ['the second run is red', run([unit(['a', 'b'], { exit: 1 })])],
    ['a test of the base did not run in it', run([unit(['a', 'c'])])],
    ['a test of the base was skipped in it', run([skips()])],
    ['fewer ran in it', run([counted(1)], [counted(2)])],
    ['its tests cannot be named', run([counted(2)])],
    ['no test ran in it', run([unit([])], [unit([])])],
    ['the setup failed in it', run([unit(['a', 'b'], { checkHash: 'sha256:2' })])],
  ])('needs one where %s', (_, seen) => {
    expect(settled([edited], seen)).toEqual({ findings: [edited], notes: [] })
  })

  const settledToo: ReadonlySet<FindingRule> = new Set<FindingRule>([
    'assertionRemoved',
    'assertionWeakened',
    'toleranceLoosened',
    'snapshotEdited',
  ])

  it.each(FINDING_RULES.filter((rule) => rule !== 'testEdited'))('beside a finding %s', (rule) => {
    const other = finding(rule)
    expect(settled([edited, other], green).findings).toEqual(settledToo.has(rule) ? [] : [other])
  })

  it('that was renamed needs none either', () => {
    expect(settled([edited, renamed], green).findings).toEqual([])
  })

  it("needs none where it has the same tests as before, whatever the base's tests say", () => {
    const red = run([unit(['a', 'b'], { exit: 1 })])
    const same = { found: [edited], run: red, sameTests: new Set(['a.test.js']), hasWitness: false }
    expect(withoutEditedTests(same)).toEqual({
      findings: [],
      notes: ['a.test.js was edited; it has the same tests as before'],
    })
  })

  it('a changed snapshot needs none where a test fails without the change', () => {
    const snapshot = finding('snapshotEdited', 'a.snap')
    const red = { found: [snapshot, edited], run: run([unit(['a', 'b'], { exit: 1 })]), sameTests: new Set<string>() }
    expect(withoutEditedTests({ ...red, hasWitness: true }).findings).toEqual([edited])
    expect(withoutEditedTests({ ...red, hasWitness: false }).findings).toEqual([snapshot, edited])
  })

  it('is looked at where so much was found that some of it was left out', () => {
    const many = Array.from({ length: 200 }, () => edited)
    expect(settled(many, green).findings).toHaveLength(200)
  })
})

function counted(tests: number): CheckRun {
  return { ...unit(Array.from({ length: tests }, String)), names: null }
}

function redBefore(): CheckRun {
  return unit(['a'], {
    exit: 1,
    tests: { source: 'x', run: 2, failed: 1, skipped: 0 },
    names: { passed: ['a'], failed: ['b'], skipped: [] },
  })
}

function skips(): CheckRun {
  return unit(['a'], {
    tests: { source: 'x', run: 1, failed: 0, skipped: 1 },
    names: { passed: ['a'], failed: [], skipped: ['b'] },
  })
}

describe('what judges beside tests', () => {
  it('is a finding, unless another rule names the file', () => {
    const judges = new Map([
      ['check.sh', 'script'],
      ['data/expected.json', 'data'],
      ['src/helpers.js', 'helper'],
      ['a.test.js', 'test'],
      ['vitest.config.ts', 'settings'],
    ] as const)
    expect(judgeFindings(judges, [edited]).map(({ path, what }) => `${path}: ${what}`)).toEqual([
      'check.sh: a file that the checks run was changed',
      'data/expected.json: data that tests compare with was changed',
      'src/helpers.js: a helper that only tests use was changed',
    ])
  })
})
