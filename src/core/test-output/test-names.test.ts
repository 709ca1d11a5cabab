import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTests } from './read-tests.ts'
import { type MissedTest, missedTests, steadyNames, type TestNames } from './test-names.ts'

function namesIn(name: string): TestNames | null {
  const output = readFileSync(new URL(`../../../test/fixtures/runners/${name}`, import.meta.url), 'utf8')
  return readTests(output)?.names ?? null
}

const nodeNames = { passed: ['adds', 'group > one', 'group > two'], failed: [], skipped: ['later', 'wip'] }
const nodeFailed = { ...nodeNames, failed: ['fails'] }

describe('names of tests', () => {
  it.each<[string, TestNames]>([
    ['node20-spec.txt', nodeFailed],
    ['node24-spec.txt', nodeFailed],
    ['node26-spec.txt', nodeFailed],
    ['node24-spec-colour.txt', nodeNames],
    ['node20-tap.txt', nodeFailed],
    ['node22-tap.txt', nodeNames],
    ['node24-imitation.txt', { passed: ['x'], failed: [], skipped: [] }],
    [
      'vitest-verbose.txt',
      {
        passed: [
          'a.test.js > adds',
          'a.test.js > group > odd > one',
          'a.test.js > group > odd > each 1',
          'a.test.js > group > odd > each 2',
          'sub/b.test.js > slow',
        ],
        failed: ['sub/b.test.js > fails'],
        skipped: ['a.test.js > later', 'a.test.js > wip'],
      },
    ],
    [
      'jest-verbose.txt',
      {
        passed: [
          './a.test.js > adds',
          './a.test.js > group > each 1',
          './a.test.js > group > each 2',
          './a.test.js > group > inner > one',
        ],
        failed: ['./b.test.js > fails'],
        skipped: ['./a.test.js > later', './a.test.js > wip'],
      },
    ],
    [
      'pytest-named.txt',
      {
        passed: ['test_a.py::test_adds', 'test_a.py::TestGroup::test_each[1]', 'test_a.py::TestGroup::test_each[2]'],
        failed: ['test_b.py::test_fails'],
        skipped: ['test_a.py::test_wip'],
      },
    ],
    [
      'go-verbose-failed.txt',
      {
        passed: [
          'example.com/m/a.TestAdd',
          'example.com/m/a.TestSub',
          'example.com/m/a.ExampleAdd',
          'example.com/m/c.TestG',
        ],
        failed: ['example.com/m/c.TestF'],
        skipped: ['example.com/m/a.TestSkip'],
      },
    ],
    [
      'go-json.txt',
      {
        passed: ['example.com/m/a.TestAdd', 'example.com/m/a.TestSub', 'example.com/m/a.ExampleAdd'],
        failed: [],
        skipped: ['example.com/m/a.TestSkip'],
      },
    ],
    [
      'cargo-failed.txt',
      {
        passed: ['tests::adds', 'fine', 'it_works', 'src/lib.rs - add (line 1)'],
        failed: ['fails'],
        skipped: ['tests::later'],
      },
    ],
    ['mocha-failed.txt', { passed: ['adds', 'g > one', 'two'], failed: ['fails'], skipped: ['later', 'wip'] }],
    [
      'pytest-junit.xml',
      {
        passed: ['test_a.test_adds', 'test_a.test_xp', 'test_a.test_w'],
        failed: [],
        skipped: ['test_a.test_later', 'test_a.test_x'],
      },
    ],
    [
      'npm-workspaces.txt',
      {
        passed: [...nodeNames.passed, ...nodeNames.passed],
        failed: [],
        skipped: [...nodeNames.skipped, ...nodeNames.skipped],
      },
    ],
  ])('%s', (name, expected) => {
    expect(namesIn(name)).toEqual(expected)
  })

  it.each([
    'vitest-passed.txt',
    'pytest-passed.txt',
    'pytest-quiet-imitation.txt',
    'go-passed.txt',
    'cargo-quiet.txt',
    'unittest-passed.txt',
    'mocha-dot.txt',
    'node24-none.txt',
  ])('%s names none', (name) => {
    expect(namesIn(name)).toBeNull()
  })

  it('believes no name where there are more than the runner counted', () => {
    const output =
      '✔ adds (1ms)\n✔ gone (1ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n'
    expect(readTests(output)).toEqual({ count: { source: 'node:test', run: 1, failed: 0, skipped: 0 }, names: null })
  })
})

describe("mocha's groups", () => {
  const named = (...lines: string[]): TestNames | null => {
    const output = ['', '', ...lines, '', '', '  2 passing (3ms)', ''].join('\n')
    return readTests(output)?.names ?? null
  }
  const passed = ['g > one', 'g > h > two']

  it.each([
    ['as they are', ['  g', '    ✔ one', '    h', '      ✔ two']],
    ['below what was printed before', ['listening on 41223', ' at once', '  g', '    ✔ one', '    h', '      ✔ two']],
    ['around what a test printed', ['  g', 'id 17', '    ✔ one', 'id 18', '    h', '- x', '      ✔ two']],
    ['around what it printed indented', ['  g', '  {', '    ✔ one', '        a: 1', '  }', '    h', '      ✔ two']],
  ])('%s', (_, lines) => {
    expect(named(...lines)).toEqual({ passed, failed: [], skipped: [] })
  })

  it('of the next suite stand below an empty line', () => {
    expect(named('  g', '    ✔ one', '', '  g', '    ✔ two')?.passed).toEqual(['g > one', 'g > two'])
    expect(named('  ✔ one', '  g', '    ✔ two')?.passed).toEqual(['one', 'g > two'])
  })
})

describe('missed tests', () => {
  const names = (passed: string[], skipped: string[] = [], failed: string[] = []): TestNames => ({
    passed,
    failed,
    skipped,
  })
  const gone = (name: string, was: MissedTest['was'] = 'passed'): MissedTest => ({ name, was, is: 'gone' })
  const skipped = (name: string, was: MissedTest['was'] = 'passed'): MissedTest => ({ name, was, is: 'skipped' })

  it.each<[string, TestNames, TestNames, readonly MissedTest[]]>([
    ['nothing', names(['a', 'b']), names(['b', 'a', 'c']), []],
    ['one that is gone', names(['a', 'b']), names(['a']), [gone('b')]],
    ['one that is skipped', names(['a', 'b']), names(['a'], ['b']), [skipped('b')]],
    ['a renamed one', names(['a']), names(['A']), [gone('a')]],
    ['one of two with one name', names(['a', 'a']), names(['a']), [gone('a')]],
    ['one skipped of two with one name', names(['a', 'a']), names(['a'], ['a']), [skipped('a')]],
    ['one that failed and is green', names(['a'], [], ['b']), names(['a', 'b']), []],
    ['one that failed and is gone', names(['a'], [], ['b']), names(['a']), [gone('b', 'failed')]],
    ['one that failed and is skipped', names(['a'], [], ['b']), names(['a'], ['b']), [skipped('b', 'failed')]],
    ['one that was skipped and still is', names([], ['a']), names([], ['a']), []],
    ['one that was skipped and is green', names([], ['a']), names(['a']), []],
    ['one that was skipped and is gone', names([], ['a']), names([]), [gone('a', 'skipped')]],
    ['one that failed beside one of its name that was skipped', names([], ['a'], ['a']), names(['a'], ['a']), []],
    ['a file that did not load and whose tests are there', names([], [], ['src/a.test.js']), names(['a']), []],
  ])('%s', (_, before, now, expected) => {
    expect(missedTests(before, now)).toEqual(expected)
  })

  it.each<[string, TestNames, TestNames, TestNames]>([
    ['the same', names(['a'], ['s'], ['f']), names(['f', 'a', 's']), names(['a'], ['s'], ['f'])],
    ['a random number', names(['a', 'id 1']), names(['a', 'id 2']), names(['a'])],
    ['one of two', names(['a', 'a']), names(['a', 'x']), names(['a'])],
  ])('steady names: %s', (_, one, other, expected) => {
    expect(steadyNames(one, other)).toEqual(expected)
  })
})
