import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTests } from './read-tests.ts'
import { countUnloaded } from './unloaded.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/runners')

/** Samples of the runners in which a file did not load; in all others every file did. */
const unloaded: Readonly<Record<string, number>> = {
  'go-failed.txt': 1,
  'jest-broken-file.txt': 1,
  'jest-failed.txt': 1,
  'pytest-broken-file.txt': 1,
  'vitest-broken-file.txt': 1,
  'vitest-failed.txt': 2,
}

it('finds the files that did not load in the output of the runners, and no others', () => {
  const found = readdirSync(FOLDER).map((file) => [file, countUnloaded(readFileSync(join(FOLDER, file), 'utf8'))])
  const expected = readdirSync(FOLDER).map((file) => [file, unloaded[file] ?? 0])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
})

it.each<[string, string, number]>([
  [
    'node:test, spec',
    '✖ b.test.mjs (363.06ms)\nℹ tests 1\n\n✖ failing tests:\n\ntest at b.test.mjs:1:1\n✖ b.test.mjs (363.06ms)\n',
    1,
  ],
  ['node:test, TAP', 'TAP version 13\nnot ok 1 - /tmp/x/b.test.mjs\nok 2 - a\n1..2\n', 1],
  ['a test that failed', '✖ adds (0.5ms)\nnot ok 1 - adds\n', 0],
  ['mocha', '\n Exception during run: SyntaxError: x\n', 1],
  ['cargo', 'error: could not compile `demo` (test "add") due to 1 previous error\n', 1],
  ['go', 'FAIL\texample.com/m [build failed]\nFAIL\texample.com/n\t0.002s\n', 1],
  ['pytest, without its pages', 'ERROR tests/test_a.py - ImportError: no\nERROR tests/test_b.py::test_one - x\n', 1],
])('%s', (_, output, count) => {
  expect(countUnloaded(output)).toBe(count)
})

it.each<[string, string, object]>([
  [
    'node:test',
    '✔ one (1ms)\n✖ two (1ms)\n✖ b.test.mjs (3ms)\nℹ tests 3\nℹ suites 0\nℹ pass 1\nℹ fail 2\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n',
    { count: { run: 2, failed: 2 }, names: { passed: ['one'], failed: ['two'] } },
  ],
  [
    'TAP',
    'TAP version 13\nok 1 - one\nnot ok 2 - two\nnot ok 3 - src/b.test.js\n1..3\n',
    { count: { run: 2, failed: 2 }, names: { passed: ['one'], failed: ['two'] } },
  ],
  [
    'a fixture that fails in pytest',
    '===== test session starts =====\n===== short test summary info =====\nPASSED test_a.py::test_one\nERROR test_a.py::test_two - x\n===== 1 passed, 1 error in 0.01s =====\n',
    { count: { run: 1, failed: 1 }, names: { passed: ['test_a.py::test_one'], failed: [] } },
  ],
])('is no failed test: %s', (_, output, expected) => {
  expect(readTests(output)).toMatchObject(expected)
})
