// The rules over runs: who is a witness, who noticed a break, who is flaky.
import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../evidence/evidence.ts'
import { isGreen } from '../evidence/evidence.ts'
import { inventoryFindings } from '../evidence/inventory.ts'
import { breakResult } from './break-noticed.ts'
import { breakDeadline, probeBudget } from './budget.ts'
import { allFailed, allFlipped, countFailures, flakyTests, suspects } from './flaky.ts'
import { newTestNames, type WitnessInput, witnessesOf } from './witness.ts'

const green: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:1',
  argv: ['sh', '-c', 'npm test'],
  exit: 0,
  how: 'exited',
  durationMs: 1_000,
  tests: { source: 'node:test', run: 0, failed: 0, skipped: 0 },
  names: { passed: [], failed: [], skipped: [] },
  outputDigest: '',
  outputTail: '',
  report: null,
  cached: false,
}

function run(passed: readonly string[], failed: readonly string[] = [], more: Partial<CheckRun> = {}): CheckRun {
  const tests = { source: 'x', run: passed.length + failed.length, failed: failed.length, skipped: 0 }
  return { ...green, exit: failed.length > 0 ? 1 : 0, tests, names: { passed, failed, skipped: [] }, ...more }
}

/** The same without names. */
function counted(ran: number, failed = 0): CheckRun {
  return { ...run([]), exit: failed > 0 ? 1 : 0, tests: { source: 'x', run: ran, failed, skipped: 0 }, names: null }
}

/** Its files do not load or compile. */
const unloaded = run([], [], { exit: 1, tests: { source: 'x', run: 0, failed: 1, skipped: 0 } })

describe('witnesses', () => {
  const rows: readonly (readonly [string, Partial<WitnessInput>, readonly string[]])[] = [
    ['a new test that fails on the base', { candidate: [run(['a', 'b'])], onBase: [run(['a'], ['b'])] }, ['b']],
    ['a new test that passes on the base', { candidate: [run(['a', 'b'])], onBase: [run(['a', 'b'])] }, []],
    [
      'a new test that passes on the base is none, even where it notices the emptied code',
      { candidate: [run(['a', 'b'])], onBase: [run(['a', 'b'])], emptied: [run([], ['a', 'b'])] },
      [],
    ],
    [
      'a new test whose file does not load on the base is judged by the emptied code',
      { candidate: [run(['a', 'b'])], onBase: [unloaded], emptied: [run(['a'], ['b'])] },
      ['b'],
    ],
    [
      'an old test is none, where nothing compiles on the base and it notices the emptied code',
      { candidate: [run(['a', 'b'])], onBase: [unloaded], emptied: [run(['b'], ['a'])] },
      [],
    ],
    ['a file that does not load is no witness', { candidate: [run(['a', 'b'])], onBase: [unloaded] }, []],
    [
      'a test that was red on the base and that the patch does not touch',
      { candidate: [run(['a', 'b'])], baseline: [run(['a'], ['b'])], onBase: null },
      ['b'],
    ],
    [
      'a changed test under its old name',
      { candidate: [run(['a'])], onBase: [run([], ['a'])], changedTitles: ['a'] },
      ['a'],
    ],
    ['an old test that the patch does not touch', { candidate: [run(['a'])], onBase: [run([], ['a'])] }, []],
    [
      'a title below groups',
      {
        candidate: [run(['cart > adds'])],
        baseline: [run(['cart > adds'])],
        onBase: [run([], ['cart > adds'])],
        changedTitles: ['adds'],
      },
      ['cart > adds'],
    ],
    [
      'a test that was weakened on the way',
      { candidate: [run(['a', 'b'])], onBase: [run(['a'], ['b'])], excluded: new Set(['b']) },
      [],
    ],
  ]
  it.each(rows)('%s', (_, input, tests) => {
    const whole = { candidate: [], baseline: [run(['a'])], onBase: null, emptied: null, changedTitles: [], ...input }
    const found = witnessesOf(whole)
    expect(found.tests).toEqual(tests)
    expect(found.count).toBe(tests.length)
  })

  it('are counted where the runner does not name its tests', () => {
    const found = witnessesOf({
      candidate: [counted(5)],
      baseline: [counted(4)],
      onBase: [counted(5, 2)],
      emptied: null,
      changedTitles: [],
    })
    expect(found).toEqual({ tests: [], count: 2, by: ['count'] })
  })

  it('are counted where the runner names its tests only while they are green', () => {
    const red = { candidate: [run(['a', 'b'])], baseline: [counted(2, 1)], onBase: null, changedTitles: [] }
    expect(witnessesOf({ ...red, emptied: null })).toEqual({ tests: [], count: 1, by: ['count'] })
  })

  it('are not counted where fewer tests were collected', () => {
    const few = { candidate: [counted(5)], baseline: [counted(4)], onBase: [counted(3, 2)], changedTitles: [] }
    expect(witnessesOf({ ...few, emptied: null }).count).toBe(0)
  })

  it('new names are those that the base does not have', () => {
    expect(newTestNames([run(['a', 'b', 'c'])], [run(['a'], ['c'])])).toEqual(['b'])
  })
})

describe('a break', () => {
  const whole = [run(['a', 'b'])]
  const lint: CheckRun = { ...green, name: 'lint', checkHash: 'sha256:2', tests: null, names: null }
  const rows: readonly (readonly [string, readonly CheckRun[], readonly CheckRun[], string, readonly string[]])[] = [
    ['a test fails by name', [run(['a'], ['b'])], whole, 'noticed', ['b']],
    ['nothing fails', [run(['a', 'b'])], whole, 'survived', []],
    ['a file does not load', [unloaded], whole, 'unclear', []],
    ['it never ends', [run([], [], { how: 'timedOut', exit: null })], whole, 'noticed', ['the time limit']],
    ['it cannot be started', [run([], [], { how: 'notStarted', exit: null })], whole, 'unclear', []],
    ['fewer tests run, all green', [run(['a'])], whole, 'unclear', []],
    ['the setup fails', [{ ...lint, name: 'setup', checkHash: 'sha256:9', exit: 1 }], whole, 'unclear', []],
    ['only the linter is red', [run(['a', 'b']), { ...lint, exit: 1 }], [...whole, lint], 'survived', []],
    ['no check runs tests, and one is red', [{ ...lint, exit: 1 }], [lint], 'noticed', ['lint']],
    ['without names, as many were collected', [counted(5, 1)], [counted(5)], 'noticed', ['1 tests of unit']],
    ['names are missing where it is red', [counted(2, 1)], whole, 'noticed', ['1 tests of unit']],
    ['without names, fewer were collected', [counted(1, 1)], [counted(5)], 'unclear', []],
  ]
  it.each(rows)('%s', (_, broken, candidate, result, by) => {
    expect(breakResult(broken, candidate)).toEqual({ result, by })
  })
})

describe('flaky tests', () => {
  const own = { added: new Set(['new']), changedTitles: ['changed'] }
  const base = run(['a', 'b', 'changed'])
  it.each<[string, CheckRun, readonly string[] | null]>([
    ['an old test fails', run(['b'], ['a']), ['a']],
    ['a new test fails', run(['b'], ['new']), null],
    ['a changed test fails', run(['b'], ['changed']), null],
    ['an old and a new test fail', run(['b'], ['a', 'new']), null],
    ['a file does not load', unloaded, null],
    ['it is green', run(['a']), null],
    ['it timed out', run([], ['a'], { how: 'timedOut', exit: null }), null],
  ])('suspects: %s', (_, red, names) => {
    expect(suspects(red, base, own)).toEqual(names)
  })

  it('counts only runs that came to their own end', () => {
    const runs = [run(['b'], ['a']), run(['a', 'b']), run([], ['a'], { how: 'timedOut', exit: null })]
    const counts = countFailures(['a'], runs)
    expect(counts.runs).toBe(2)
    expect(counts.failed.get('a')).toBe(1)
    expect(allFlipped(counts)).toBe(true)
    expect(allFailed(countFailures(['a', 'b'], runs))).toBe(false)
  })

  it('excuse a red check, and are not missed', () => {
    const red = run(['b'], ['a'])
    const flaky = flakyTests('unit', 'base', countFailures(['a'], [run(['a']), red]))
    expect(flaky).toEqual([{ check: 'unit', name: 'a', failed: 1, runs: 2, on: 'base' }])
    const excused = { ...red, flaky }
    expect(isGreen(excused)).toBe(true)
    expect(isGreen({ ...run([], ['a', 'b']), flaky })).toBe(false)
    expect(inventoryFindings([base], [{ ...run(['b', 'changed'], ['a']), flaky }])).toEqual([])
  })
})

describe('the budget', () => {
  it('is a share of the own time of the checks, or half a minute', () => {
    expect(probeBudget([run(['a'])], 1.5)).toBe(30_000)
    expect(probeBudget([run(['a'], [], { durationMs: 60_000 })], 1.5)).toBe(90_000)
    expect(breakDeadline({ durationMs: 100 })).toBe(10_000)
    expect(breakDeadline({ durationMs: 20_000 })).toBe(60_000)
  })
})
