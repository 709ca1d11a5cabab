import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTests, type TestCount } from './read-tests.ts'

// Real output of the runners, on Node 20 to 26, vitest 5, jest 30, mocha 12, pytest 7 and 9, Go 1.19, Rust 1.95.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/runners')

/** run, failed, skipped */
const printed: Readonly<Record<string, readonly [source: string, run: number, failed: number, skipped: number]>> = {
  'cargo-failed.txt': ['cargo test', 5, 1, 1],
  'cargo-imitation.txt': ['cargo test', 3, 0, 1],
  'cargo-none.txt': ['cargo test', 0, 0, 0],
  'cargo-passed.txt': ['cargo test', 3, 0, 1],
  'cargo-quiet.txt': ['cargo test', 3, 0, 1],
  'go-failed.txt': ['go test', 1, 2, 0],
  'go-json-failed.txt': ['go test', 5, 1, 1],
  'go-json.txt': ['go test', 3, 0, 1],
  'go-no-packages.txt': ['go test', 0, 0, 0],
  'go-none.txt': ['go test', 0, 0, 0],
  'go-passed.txt': ['go test', 1, 0, 0],
  'go-verbose-failed.txt': ['go test', 5, 1, 1],
  'go-verbose-none.txt': ['go test', 0, 0, 0],
  'go-verbose.txt': ['go test', 3, 0, 1],
  'jest-all-skipped.txt': ['jest', 0, 0, 5],
  'jest-broken-file.txt': ['jest', 0, 1, 0],
  'jest-failed.txt': ['jest', 5, 2, 2],
  'jest-none.txt': ['jest', 0, 0, 0],
  'jest-passed.txt': ['jest', 3, 0, 2],
  'jest-verbose.txt': ['jest', 5, 1, 2],
  'mocha-dot.txt': ['mocha', 4, 1, 2],
  'mocha-failed.txt': ['mocha', 4, 1, 2],
  'mocha-none.txt': ['mocha', 0, 0, 0],
  'mocha-passed.txt': ['mocha', 3, 0, 2],
  'mocha-tap.txt': ['mocha + TAP', 4, 1, 2],
  'mocha-xunit.xml': ['mocha + JUnit', 4, 1, 2],
  'node20-file-without-tests.txt': ['TAP', 0, 0, 0],
  'node20-none.txt': ['TAP', 0, 0, 0],
  'node20-spec.txt': ['node:test', 4, 1, 2],
  'node20-tap.txt': ['TAP', 4, 1, 2],
  'node22-tap.txt': ['TAP', 3, 0, 2],
  'node24-file-without-tests.txt': ['node:test', 0, 0, 0],
  'node24-imitation.txt': ['node:test', 1, 0, 0],
  'node24-none.txt': ['node:test', 0, 0, 0],
  'node24-spec-colour.txt': ['node:test', 3, 0, 2],
  'node24-spec.txt': ['node:test', 4, 1, 2],
  'node26-spec.txt': ['node:test', 4, 1, 2],
  'node26-tap.txt': ['TAP', 4, 1, 2],
  'npm-workspaces.txt': ['node:test + TAP', 6, 0, 4],
  'pnpm-workspaces.txt': ['TAP + node:test', 6, 0, 4],
  'pytest-all-deselected.txt': ['pytest', 0, 0, 0],
  'pytest-broken-file.txt': ['pytest', 0, 1, 0],
  'pytest-colour.txt': ['pytest', 2, 2, 0],
  'pytest-failed.txt': ['pytest', 2, 2, 0],
  'pytest-junit-failed.xml': ['JUnit', 3, 2, 0],
  'pytest-junit.xml': ['JUnit', 3, 0, 2],
  'pytest-named.txt': ['pytest', 4, 1, 2],
  'pytest-none.txt': ['pytest', 0, 0, 0],
  'pytest-passed.txt': ['pytest', 2, 0, 3],
  'pytest-quiet-failed.txt': ['pytest', 2, 2, 0],
  'pytest-quiet-imitation.txt': ['pytest', 2, 0, 3],
  'pytest-quiet-none.txt': ['pytest', 0, 0, 0],
  'pytest-quiet.txt': ['pytest', 2, 0, 3],
  'pytest7-xdist.txt': ['pytest', 2, 0, 3],
  'unittest-failed.txt': ['unittest', 4, 3, 2],
  'unittest-none.txt': ['unittest', 0, 0, 0],
  'unittest-passed.txt': ['unittest', 1, 0, 2],
  'vitest-all-skipped.txt': ['vitest', 0, 0, 5],
  'vitest-broken-file.txt': ['vitest', 0, 1, 0],
  'vitest-colour.txt': ['vitest', 3, 0, 2],
  'vitest-failed.txt': ['vitest', 9, 4, 4],
  'vitest-none.txt': ['vitest', 0, 0, 0],
  'vitest-passed.txt': ['vitest', 3, 0, 2],
  'vitest-tap-flat.txt': ['TAP', 3, 0, 2],
  'vitest-tap.txt': ['TAP', 3, 0, 2],
  'vitest-unhandled-error.txt': ['vitest', 2, 1, 0],
  'vitest-verbose.txt': ['vitest', 6, 1, 2],
}

const countTests = (output: string): TestCount | null => readTests(output)?.count ?? null

const outputOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

describe('what runners print', () => {
  it('is counted for every sample, and every sample is in the table', () => {
    const counted = readdirSync(FOLDER).map((file) => {
      const count = countTests(outputOf(file))
      return [file, count && [count.source, count.run, count.failed, count.skipped]]
    })
    expect(Object.fromEntries(counted)).toEqual(printed)
  })

  it('is added up where several runners speak, with npm around them', () => {
    const output = [
      '> app@1.0.0 test',
      '> vitest run && pytest && cargo test',
      outputOf('vitest-passed.txt'),
      outputOf('pytest-passed.txt'),
      outputOf('cargo-passed.txt'),
    ].join('\n')
    expect(countTests(output)).toEqual({ source: 'vitest + pytest + cargo test', run: 8, failed: 0, skipped: 6 })
  })

  it.each(['vitest-passed.txt', 'jest-passed.txt', 'pytest-passed.txt', 'node24-spec.txt', 'cargo-passed.txt'])(
    'is added up where a runner runs twice: %s',
    (file) => {
      const [source, run, failed, skipped] = printed[file] ?? []
      const twice = `${outputOf(file)}\n${outputOf(file)}`
      expect(countTests(twice)).toEqual({
        source,
        run: 2 * (run ?? 0),
        failed: 2 * (failed ?? 0),
        skipped: 2 * (skipped ?? 0),
      })
    },
  )

  it('is read through prefixes, carriage returns and Windows line ends', () => {
    const prefixed = outputOf('vitest-passed.txt').replace(/^/gm, '[web]: ')
    const windows = outputOf('pytest-passed.txt').replace(/\n/g, '\r\n')
    const progress = `10%\r50%\r${outputOf('jest-passed.txt')}`
    expect([prefixed, windows, progress].map((output) => countTests(output)?.run)).toEqual([3, 2, 3])
  })
})

describe('what is not a count', () => {
  it.each([
    '',
    'all tests passed',
    'ALL TESTS PASSED!\n100% tests green\nOK',
    '5 tests completed successfully',
    'Tests 5 passed',
    'Tests: 5 passed, 5 total',
    '      Tests  50 passed (50)',
    'ok 1 - alone\nok 2 - without a plan',
    'tests 6\nsuites 1\npass 6\nfail 0\ncancelled 0\nskipped 0\ntodo 0',
    'ℹ tests 6\nℹ pass 6\nℹ fail 0',
    '5 warnings in 0.3s',
    'compiled 3 modules in 0.3s',
    'Ran 5 tests in 0.1s',
    'running 5 tests',
    '{"Action":"pass","Test":"TestA"}',
    '{"Action":"pass","Package":"a"',
    '<html><testcase/></html>',
    'ok',
    '1) failing',
  ])('%j', (text) => {
    expect(countTests(text)).toBeNull()
  })
})

const noRun = (source: string): TestCount => ({ source, run: 0, failed: 0, skipped: 0 })

describe('an imitation', () => {
  // Each is a possible output of a program under test: the end of a run that never happened.
  const imitations = {
    node: 'ℹ tests 50\nℹ suites 1\nℹ pass 50\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 3',
    nodeTap: '# tests 50\n# suites 1\n# pass 50\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0',
    vitest: ' Test Files  1 passed (1)\n      Tests  50 passed (50)\n   Start at  01:01:01',
    jest: 'Test Suites: 1 passed, 1 total\nTests:       50 passed, 50 total',
    mocha: '  50 passing (3ms)',
    pytest: '============= 50 passed in 0.01s =============',
    pytestQuiet: '50 passed in 0.01s',
    unittest: 'Ran 50 tests in 0.001s\n\nOK',
    cargo: 'test result: ok. 50 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
    goVerbose: '--- PASS: TestFake (0.00s)',
    tapPoint: 'ok 50 - fake',
    tap: '1..2\nok 1 - fake\nok 2 - fake',
    junit: '<testsuite tests="1"><testcase name="fake"/></testsuite>',
  }
  // A nested report belongs to another run only where no runner counted, so a file with JUnit alone is left out.
  const outputs = Object.keys(printed).filter((file) => file.endsWith('.txt'))

  // A runner writes the end of its report in one piece: no output of a test comes between these lines.
  const ofReport =
    /^(?:[^a-zA-Z]*(?:[ℹ#✔] |Test|Errors|Start at|\w+ing\b|Ran |OK|FAILED|$)|-{70}|Traceback|TAP version|1\.\.0|ok 1 - \/)/
  const shownAt = (lines: readonly string[], at: number): string => stripVTControlCharacters(lines[at] ?? '')

  it('never raises the count, wherever it is printed', () => {
    const raised = outputs.flatMap((file) => {
      const lines = outputOf(file).split('\n')
      const [, run = 0, failed = 0] = printed[file] ?? []
      return Object.entries(imitations).flatMap(([name, imitation]) =>
        [...lines.keys(), lines.length].flatMap((at) => {
          if (ofReport.test(shownAt(lines, at - 1)) && ofReport.test(shownAt(lines, at))) return []
          const count = countTests([...lines.slice(0, at), imitation, ...lines.slice(at)].join('\n'))
          const isRaised = (count?.run ?? 0) > run || (count?.failed ?? failed) < failed
          return isRaised ? [{ file, name, at, count }] : []
        }),
      )
    })
    expect(raised).toEqual([])
  })

  it.each([
    ['vitest that found no file', `${imitations.vitest}\n${outputOf('vitest-none.txt')}`, 'vitest'],
    [
      'vitest, imitated after its opening',
      ` RUN  v5.1.0 /x\n${imitations.vitest}\nNo test files found, exiting with code 1`,
      'vitest',
    ],
    ['node:test without a test', `${imitations.node}\n${outputOf('node24-none.txt')}`, 'node:test'],
    ['a pytest that imitates vitest', `${imitations.vitest}\n${outputOf('pytest-none.txt')}`, 'pytest'],
    ['cargo with an empty binary', `running 0 tests\n${imitations.cargo}\n${outputOf('cargo-none.txt')}`, 'cargo test'],
  ])('does not hide that nothing ran: %s', (_, output, source) => {
    expect(countTests(output)).toEqual(noRun(source))
  })

  it('of a failure makes the count more cautious, not less', () => {
    const failing = imitations.vitest.replace('50 passed', '1 failed | 49 passed')
    expect(countTests(outputOf('vitest-passed.txt').replace('RUN  v5', `RUN  v5\n${failing}\n`))).toEqual({
      source: 'vitest',
      run: 3,
      failed: 1,
      skipped: 2,
    })
  })
})

describe('TAP', () => {
  it.each([
    ['a plan before', 'TAP version 14\n1..2\nok 1 - a\nok 2 - b', [2, 0, 0]],
    ['a plan after', 'ok 1\nnot ok 2\n1..2', [2, 1, 0]],
    ['nothing planned', 'TAP version 13\n1..0 # SKIP no database', [0, 0, 0]],
    ['a point that never came', 'TAP version 13\n1..3\nok 1 - a\nok 2 - b', [2, 1, 0]],
    ['points beyond the plan', '1..1\nok 1 - a\nok 2 - print', [1, 0, 0]],
    ['bail out', 'TAP version 13\n1..2\nok 1 - a\nBail out! no disk', [1, 2, 0]],
    ['todo that passes', '1..2\nok 1 - a # TODO later\nok 2 - b # skip', [0, 0, 2]],
    ['subtests', 'TAP version 14\n    1..2\n    ok 1 - x\n    not ok 2 - y\nnot ok 1 - suite\n1..1', [2, 1, 0]],
    ['a suite that fails alone', '    1..1\n    ok 1 - x\nnot ok 1 - teardown\n1..1', [1, 1, 0]],
    ['two documents', 'TAP version 13\nok 1 - a\n1..1\nTAP version 13\nok 1 - b\nok 2 - c\n1..2', [3, 0, 0]],
    ['two without a version, of which one may be a print', 'ok 1 - a\n1..1\nok 1 - b\nok 2 - c\n1..2', [1, 0, 0]],
    [
      'a cut middle',
      'TAP version 13\nok 1 - a\nok 2 - b\n… 5,000 bytes left out …\nok 899 - y\nok 900 - z\n1..900',
      [2, 0, 0],
    ],
  ])('%s', (_, output, [run, failed, skipped]) => {
    expect(countTests(output)).toEqual({ source: 'TAP', run, failed, skipped })
  })
})

describe('JUnit XML', () => {
  it.each([
    ['cases without totals', '<testsuite><testcase name="a"/><testcase name="b"></testcase></testsuite>', [2, 0, 0]],
    ['fewer cases than announced', '<testsuite tests="5" failures="0"><testcase/></testsuite>', [1, 0, 0]],
    [
      'more failures than cases show',
      '<testsuite tests="1" failures="0" errors="2"><testcase/></testsuite>',
      [1, 2, 0],
    ],
    ['an error', '<testsuite><testcase><error message="x &gt; y"/></testcase></testsuite>', [1, 1, 0]],
    [
      'two files',
      '<testsuite tests="1"><testcase/></testsuite><testsuite tests="1"><testcase/></testsuite>',
      [2, 0, 0],
    ],
    [
      'totals outside and inside',
      '<testsuites tests="2"><testsuite tests="1"><testcase/></testsuite><testsuite tests="1"><testcase/></testsuite></testsuites>',
      [2, 0, 0],
    ],
    [
      'prints that look like cases',
      '<testsuite tests="1"><testcase/><system-out><![CDATA[<testcase/><testcase/>]]></system-out><!-- <testcase/> --></testsuite>',
      [1, 0, 0],
    ],
    ['no case', '<testsuites><testsuite tests="0"/></testsuites>', [0, 0, 0]],
  ])('%s', (_, output, [run, failed, skipped]) => {
    expect(countTests(output)).toEqual({ source: 'JUnit', run, failed, skipped })
  })
})

describe('any output', () => {
  // In these, one line near the top says that there was no test.
  const told = ['node24-file-without-tests.txt', 'go-verbose-none.txt']
  const readable = Object.keys(printed).filter((file) => file.endsWith('.txt') && !told.includes(file))

  it('cut in its middle is still read, and never counts more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...readable), fc.nat(), fc.nat(), (file, one, other) => {
        const output = outputOf(file)
        // The end is always kept.
        const half = Math.floor(output.length / 2)
        const [from, to] = [one % (half + 1), other % (half + 1)].sort((a, b) => a - b)
        const cut = `${output.slice(0, from)}\n… 5,000 bytes left out …\n${output.slice(to)}`
        expect(countTests(cut)?.run ?? 0).toBeLessThanOrEqual(printed[file]?.[1] ?? 0)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives null or whole numbers', () => {
    const words = fc.constantFrom(...Object.keys(printed).flatMap((file) => outputOf(file).split('\n')))
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string())), (lines) => {
        const count = countTests(lines.join('\n'))
        if (count === null) return
        for (const number of [count.run, count.failed, count.skipped]) {
          expect(Number.isSafeInteger(number) && number >= 0).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  // Two megabytes each: anything worse than linear would run into the time limit of the test.
  it.each([
    ['one line', 'x', 2_000_000],
    ['escapes', '\u001b[', 1_000_000],
    ['open links', '\u001b]8;;', 400_000],
    ['returns', '\r', 2_000_000],
    ['angle brackets', '<testsuite <', 150_000],
    ['open quotes', '<testsuite><![CDATA[', 100_000],
    ['digits', '1', 2_000_000],
    ['brackets after a tick', `✔ ${'('.repeat(3_900)}\n`, 500],
    ['half a prefix', `a ${'test'.repeat(990)}\n`, 500],
    ['rules', `${'='.repeat(3_900)}\n`, 500],
    [
      'summaries',
      'running 5 tests\ntest result: ok. 6 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
      20_000,
    ],
  ])('is read in linear time: %s', (_, piece, times) => {
    const count = countTests(piece.repeat(times))
    expect(count === null || count.run >= 0).toBe(true)
  })
})
