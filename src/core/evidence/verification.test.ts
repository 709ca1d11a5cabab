import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckRun } from './evidence.ts'
import { type VerificationInput, judge } from './verification.ts'
import type { TestCount } from '../test-output/read-tests.ts'

const tests = (run: number, failed = 0, skipped = 0): TestCount => ({ source: 'vitest', run, failed, skipped })

function checkRun(name: string, changes: Partial<CheckRun> = {}): CheckRun {
  return {
    name,
    kind: 'check',
    checkHash: `sha256:${name}`,
    argv: ['/bin/sh', '-c', name],
    exit: 0,
    how: 'exited',
    durationMs: 1500,
    tests: null,
    names: null,
    outputDigest: 'sha256:0',
    outputTail: '',
    report: null,
    cached: false,
    ...changes,
  }
}

const unit = checkRun('unit', { tests: tests(3) })
const lint = checkRun('lint')
const html = checkRun('html', { kind: 'validator', report: { ok: true, errors: [], normalizedHtml: null } })
const redUnit = checkRun('unit', { exit: 1, tests: tests(3, 1), outputTail: 'expected 3 to be 4\n' })
const noPackage = checkRun('unit', { exit: 254, outputTail: 'npm error enoent Could not read package.json: Error' })

const plain: VerificationInput = {
  runs: [lint, unit],
  requireTests: 'required',
  taskType: 'api',
  kind: 'code',
  filesExpected: [],
  filesMissing: [],
  baseline: null,
}
const setup: VerificationInput = { ...plain, taskType: 'setup', filesExpected: ['package.json'] }

describe('a check that rewrites the tree', () => {
  const rewrote = (path: string, judges: boolean) => judge({ ...plain, rewritten: [{ check: 'unit', path, judges }] })

  it('costs nothing where it is code: the agent hands in the result', () => {
    expect(rewrote('src/a.js', false).verdict).toEqual({
      is: 'unverified',
      error:
        'unit rewrote src/a.js while it ran, so what was tested is not what you handed in: run it, see that the result is right, and hand that in',
      mendedBy: 'agent',
      costs: 'nothing',
    })
  })

  it('proves nothing where it is what judges', () => {
    expect(rewrote('test/a.test.js', true).verdict).toEqual({
      is: 'unverified',
      error:
        'unit rewrote test/a.test.js while it ran, which judges the work, so its result proves nothing: make it leave such files as they are',
      mendedBy: 'agent',
    })
  })
})

describe('a tree that was red before', () => {
  const again = (changes: Partial<CheckRun>): string => {
    const { verdict } = judge({ ...plain, runs: [{ ...redUnit, cached: true, ...changes }] })
    return verdict.is === 'red' ? (verdict.error.split('\n')[0] ?? '') : verdict.is
  }
  const named = (...failed: string[]): Partial<CheckRun> => ({
    tests: tests(9, failed.length),
    names: { passed: [], failed, skipped: [] },
  })
  it.each<[string, Partial<CheckRun>, string]>([
    ['one test', named('adds'), " (test 'adds' failed)"],
    ['two tests', named('a', 'b'), " (tests 'a' and 'b' failed)"],
    ['many tests', named('a', 'b', 'c', 'd', 'e', 'f', 'g'), " (tests 'a', 'b', 'c', 'd', 'e' and 2 more failed)"],
    ['tests without names', { tests: tests(9, 2) }, ' (2 tests failed)'],
    ['no test', { tests: null }, ''],
  ])('says so, and what failed: %s', (_, changes, failed) => {
    expect(again(changes)).toBe(
      `unit was red on this very tree before${failed}; running it again proves nothing: change the code or the test`,
    )
  })
})

describe('a run that the machine cut short', () => {
  const late = checkRun('unit', { how: 'timedOut', exit: null, unfinished: 1, outputTail: 'waiting\n' })
  const noInstall = checkRun('setup', { exit: 1, step: 'setup', unfinished: 2, outputTail: 'ECONNREFUSED\n' })
  const keeps = "; a build keeps its settings, so 'ralph abort' and then 'ralph build' takes the new ones"

  it('is red where the base came to its end', () => {
    const { verdict, notes } = judge({ ...plain, runs: [lint, late], baseline: [lint, unit] })
    expect(verdict).toEqual({
      is: 'red',
      error:
        'unit ran into its time limit after 2 s: make it faster, or raise timeout under [check.unit] in ralph.toml\nwaiting',
    })
    expect(notes).toEqual(['unit did not come to its own end once before, and was run again'])
  })

  it.each<[string, CheckRun, string]>([
    [
      'a time-out',
      late,
      `unit ran into its time limit after 2 s, and without this change as well: see what it waits for and retry the task, or raise timeout under [check.unit] in ralph.toml${keeps}\nwaiting`,
    ],
    [
      'a setup',
      noInstall,
      `setup failed (exit 1), and without this change as well: see what it needs and retry the task, or change setup under [workspace] in ralph.toml${keeps}\nECONNREFUSED`,
    ],
    [
      'a full disk',
      checkRun('unit', { exit: 1, noSpace: true }),
      'unit found no space left on the disk, and without this change as well: free some, then retry the task',
    ],
    [
      'a signal',
      checkRun('unit', { exit: 137 }),
      'unit was killed by a signal, and without this change as well: see whether the machine has enough memory, then retry the task',
    ],
  ])('asks a human where the base did not either: %s', (_, run, said) => {
    const { verdict } = judge({ ...plain, runs: [run], baseline: [run] })
    expect(verdict).toEqual({ is: 'unverified', error: `nothing was verified, since ${said}`, mendedBy: 'operator' })
  })

  it('asks nobody where another check is red by itself', () => {
    const { verdict } = judge({ ...plain, runs: [late, checkRun('lint', { exit: 1 })], baseline: [late, lint] })
    expect(verdict.is).toBe('red')
  })

  it('and is green in the end is told', () => {
    const { verdict, notes } = judge({ ...plain, runs: [lint, { ...unit, unfinished: 2 }] })
    expect([verdict.is, notes]).toEqual([
      'green',
      ['unit did not come to its own end 2 times before, and was run again'],
    ])
  })
})

it('a check that changed what Ralph loads into it is red', () => {
  const { verdict } = judge({ ...plain, runs: [{ ...unit, rewrote: ['ralph-test-names.cjs'] }] })
  expect(verdict).toEqual({
    is: 'red',
    error:
      'unit changed ralph-test-names.cjs, which Ralph loads into every test run, so its result proves nothing: remove what writes to it',
  })
})

describe('green', () => {
  it.each<[string, Partial<VerificationInput>, readonly string[]]>([
    ['tests ran and passed', {}, []],
    ['with a validator', { runs: [unit, html] }, []],
    [
      'with a validator that had nothing to look at',
      { runs: [unit, { ...html, how: 'notNeeded', exit: null, report: null }] },
      ['html: no changed file to look at'],
    ],
    [
      'no tests, and none required',
      { runs: [lint], requireTests: 'not-required' },
      ['no tests ran; none are required'],
    ],
    [
      'a setup task by its files',
      { ...setup, runs: [lint] },
      ["no tests yet; the task's files are there: package.json"],
    ],
    [
      'a docs task by its files',
      {
        ...setup,
        taskType: 'docs',
        filesExpected: ['README.md', 'docs/a.md'],
        runs: [checkRun('unit', { tests: tests(0) })],
      },
      ["no tests yet; the task's files are there: README.md, docs/a.md"],
    ],
    [
      'a setup task in a new project, with a check that cannot run yet',
      { ...setup, runs: [lint, noPackage], baseline: [checkRun('lint', { exit: 127 }), noPackage] },
      ['unit cannot run yet: this is a new project', "no tests yet; the task's files are there: package.json"],
    ],
    ['a check that was red before and is not any more', { baseline: [redUnit] }, []],
    [
      'a check that was red before, with more tests now',
      { runs: [checkRun('unit', { tests: tests(4) })], baseline: [redUnit] },
      [],
    ],
    [
      'no tests, none required, and nothing to break',
      { runs: [lint], requireTests: 'not-required', baseline: [lint] },
      ['no tests ran; none are required'],
    ],
  ])('%s', (_, changes, notes) => {
    expect(judge({ ...plain, ...changes })).toEqual({ verdict: { is: 'green' }, notes })
  })
})

describe('red', () => {
  it.each<[string, Partial<VerificationInput>, string, readonly string[]]>([
    [
      'a failing check',
      { runs: [lint, redUnit] },
      'unit failed (exit 1): mend what it reports\nexpected 3 to be 4',
      [],
    ],
    [
      'red before too',
      { runs: [redUnit], baseline: [redUnit] },
      'unit failed (exit 1): mend what it reports (it was red before this task too)\nexpected 3 to be 4',
      ['unit was red on the base'],
    ],
    [
      'two failing checks',
      { runs: [{ ...lint, exit: 2 }, redUnit] },
      'lint failed (exit 2): mend what it reports\n\nunit failed (exit 1): mend what it reports\nexpected 3 to be 4',
      [],
    ],
    [
      'a runner that counts failures and exits 0',
      { runs: [checkRun('unit', { tests: tests(3, 2) })] },
      'unit counted 2 failed and still exited 0: mend the tests, and let its command exit as the runner does',
      [],
    ],
    [
      'a validator that reports errors',
      { runs: [unit, { ...html, report: { ok: false, errors: ['no title', 'no lang'], normalizedHtml: null } }] },
      'html reported errors, mend them: no title; no lang',
      [],
    ],
    [
      'a validator that fails',
      { runs: [unit, { ...html, exit: 3, report: null }] },
      'html failed (exit 3): mend what it reports',
      [],
    ],
    [
      'a check that takes too long',
      { runs: [{ ...unit, how: 'timedOut', exit: null, durationMs: 600_400 }] },
      'unit ran into its time limit after 600 s: make it faster, or raise timeout under [check.unit] in ralph.toml',
      [],
    ],
    [
      'a check that is killed',
      { runs: [{ ...unit, how: 'signalled', exit: null }] },
      'unit was killed by a signal: see whether it crashes or needs more memory',
      [],
    ],
    [
      'a flood',
      { runs: [{ ...unit, how: 'flooded', exit: null }] },
      'unit printed too much and was stopped: make it print less',
      [],
    ],
    [
      'a check that cannot be started',
      { runs: [{ ...unit, how: 'notStarted', exit: null, tests: null }] },
      'unit could not be started: correct its command in ralph.toml',
      [],
    ],
    [
      'a file that the task was to make',
      { filesMissing: ['a.ts'] },
      'a.ts is not there: write it, the task expects it',
      [],
    ],
    [
      'files that the task was to make',
      { ...setup, filesMissing: ['a.ts', 'b.ts'] },
      'a.ts, b.ts are not there: write them, the task expects them',
      [],
    ],
    [
      'a setup task after which still nothing runs',
      { ...setup, runs: [noPackage], baseline: [noPackage] },
      'no check has anything to run yet: make at least one of unit pass\n\nunit:\nnpm error enoent Could not read package.json: Error',
      [],
    ],
    [
      'a check with real failures is not excused, though it failed on the base',
      { ...setup, runs: [unit, { ...lint, exit: 1, outputTail: 'a.ts: unused' }], baseline: [{ ...lint, exit: 1 }] },
      'lint failed (exit 1): mend what it reports (it was red before this task too)\na.ts: unused',
      ['lint was red on the base'],
    ],
    [
      'red before, and fewer tests now, by number',
      { runs: [checkRun('unit', { tests: tests(2) })], baseline: [redUnit] },
      'unit was red before this task and is green only because fewer tests ran, 2 instead of 3: bring back every test and make it pass',
      ['unit was red on the base'],
    ],
    [
      'red before, and now skipped, by name',
      {
        runs: [checkRun('unit', { tests: tests(1, 0, 1), names: { passed: ['a'], failed: [], skipped: ['b'] } })],
        baseline: [
          checkRun('unit', { exit: 1, tests: tests(3, 2), names: { passed: ['a'], failed: ['b', 'c'], skipped: [] } }),
        ],
      },
      "unit was red before this task and is green only because fewer tests ran, 1 instead of 3: the test 'c' failed before and did not run now; the test 'b' failed before and is skipped now; bring back every test and make it pass",
      ['unit was red on the base'],
    ],
    [
      'only setup and docs tasks are excused',
      { runs: [lint, noPackage], baseline: [noPackage] },
      'unit failed (exit 254): mend what it reports (it was red before this task too)\nnpm error enoent Could not read package.json: Error',
      ['unit was red on the base'],
    ],
  ])('%s', (_, changes, error, notes) => {
    expect(judge({ ...plain, ...changes })).toEqual({ verdict: { is: 'red', error }, notes })
  })
})

describe('unverified', () => {
  const noCheck = 'no check is configured: add one to [checks] in ralph.toml, for example unit = "npm test"'
  const noCount =
    'no check said how many tests it ran: name one in [checks] of ralph.toml that runs your tests with node:test, vitest, jest, mocha, ' +
    'pytest, unittest, go test or cargo test, or that prints TAP or JUnit XML, and that fails when a test does (docs/guide/checks.md)'
  const newSettings = "; a build keeps its settings, so 'ralph abort' and then 'ralph build' takes the new ones"
  const noTests = 'not a single test ran: write tests that fail without this change'

  it.each<[string, Partial<VerificationInput>, string, 'agent' | 'operator']>([
    ['no check', { runs: [] }, noCheck, 'operator'],
    ['no check, and none required to run tests', { runs: [], requireTests: 'not-required' }, noCheck, 'operator'],
    ['a validator alone', { runs: [html] }, noCheck, 'operator'],
    ['no check for a setup task', { ...setup, runs: [] }, noCheck, 'operator'],
    ['a runner that nobody reads', { runs: [lint, checkRun('unit')] }, noCount, 'operator'],
    ['zero tests', { runs: [lint, checkRun('unit', { tests: tests(0) })] }, noTests, 'agent'],
    [
      'tests that were all skipped',
      { runs: [checkRun('unit', { tests: tests(0, 0, 4) })] },
      `${noTests} (4 skipped or todo, which proves nothing)`,
      'agent',
    ],
    ['a count that only a validator printed', { runs: [lint, { ...html, tests: tests(5) }] }, noCount, 'operator'],
    ['a setup task without named files', { ...setup, filesExpected: [], runs: [lint] }, noCount, 'operator'],
    ['another task with named files', { filesExpected: ['a.ts'], runs: [lint] }, noCount, 'operator'],
  ])('%s', (_, changes, error, mendedBy) => {
    const told = mendedBy === 'agent' ? error : `nothing was verified, since ${error}${newSettings}`
    expect(judge({ ...plain, ...changes })).toEqual({ verdict: { is: 'unverified', error: told, mendedBy }, notes: [] })
  })
})

describe('always', () => {
  const count = fc.record({ source: fc.constant('x'), run: fc.nat(3), failed: fc.nat(2), skipped: fc.nat(2) })
  const run: fc.Arbitrary<CheckRun> = fc
    .record({
      name: fc.constantFrom('unit', 'lint', 'html'),
      kind: fc.constantFrom('check', 'validator'),
      exit: fc.constantFrom(0, 0, 0, 1, 127, null),
      how: fc.constantFrom('exited', 'exited', 'exited', 'timedOut', 'signalled', 'flooded', 'notStarted', 'notNeeded'),
      tests: fc.option(count),
      outputTail: fc.constantFrom('', 'Missing script: "test"', 'boom'),
      report: fc.option(fc.record({ ok: fc.boolean(), errors: fc.constant([]), normalizedHtml: fc.constant(null) })),
    })
    .map((changes) => checkRun(changes.name, changes as Partial<CheckRun>))
  const runs = fc.array(run, { maxLength: 4 })
  const files = fc.array(fc.constantFrom('a.ts', 'README.md'), { maxLength: 2 })
  const examined: fc.Arbitrary<VerificationInput> = fc.record({
    runs,
    requireTests: fc.constantFrom('required', 'not-required'),
    taskType: fc.constantFrom('setup', 'docs', 'api', null),
    filesExpected: files,
    filesMissing: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: files }),
    baseline: fc.option(runs),
    kind: fc.constantFrom('code', 'data', 'inert', 'tests', 'generated', 'nothing'),
  })

  it('green rests on a check that ran, passed, and counted', () => {
    fc.assert(
      fc.property(examined, (all) => {
        const { verdict } = judge(all)
        if (verdict.is !== 'green') return
        const passed = all.runs.filter(
          ({ kind, how, exit, tests: counted, report }) =>
            kind === 'check' && how === 'exited' && exit === 0 && (counted?.failed ?? 0) === 0 && report?.ok !== false,
        )
        const areTestsRun = passed.some(({ tests: counted }) => (counted?.run ?? 0) > 0)
        const isByFiles = (all.taskType === 'setup' || all.taskType === 'docs') && all.filesExpected.length > 0
        expect(passed.length).toBeGreaterThan(0)
        expect(all.filesMissing).toEqual([])
        const isInert = all.kind === 'data' || all.kind === 'inert' || all.kind === 'generated'
        expect(areTestsRun || all.requireTests === 'not-required' || isByFiles || isInert).toBe(true)
        // Never fewer than where it was red.
        for (const before of all.baseline ?? []) {
          const now = passed.find(({ checkHash }) => checkHash === before.checkHash)
          const isRed = before.kind === 'check' && (before.how !== 'exited' || before.exit !== 0)
          if (
            isRed &&
            now !== undefined &&
            all.baseline?.find(({ checkHash }) => checkHash === before.checkHash) === before
          )
            expect(now.tests?.run ?? 0).toBeGreaterThanOrEqual(before.tests?.run ?? 0)
        }
      }),
      { numRuns: 5000 },
    )
  })

  it('green is possible, so the rule above is not empty', () => {
    const verdicts = fc.sample(examined, { numRuns: 3000, seed: 1 }).map((all) => judge(all).verdict.is)
    expect(new Set(verdicts)).toEqual(new Set(['green', 'red', 'unverified']))
  })

  it('anything else says in its first line what to do', () => {
    fc.assert(
      fc.property(examined, (all) => {
        const { verdict } = judge(all)
        if (verdict.is === 'green') return
        const [first = ''] = verdict.error.split('\n')
        expect(first).toMatch(/\b(?:mend|write|add|make|raise|correct|see|name|use)\b/)
        expect(first).not.toMatch(/undefined|null|NaN/)
      }),
      { numRuns: 2000 },
    )
  })
})
