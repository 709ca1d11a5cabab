import { describe, expect, it } from 'vitest'
import {
  assertsNothing,
  exitsAsSuccess,
  exitsEarly,
  isAssertion,
  isExact,
  isRemark,
  patches,
  pretends,
  setsBound,
  silences,
  switchesOff,
} from './line-findings.ts'

function table(look: (text: string) => unknown, seen: readonly string[], unseen: readonly string[]): void {
  it.each(seen)('sees %j', (text) => expect(look(text)).toBeTruthy())
  it.each(unseen)('lets %j be', (text) => expect(look(text)).toBeFalsy())
}

describe('tests switched off', () => {
  table(
    switchesOff,
    [
      "it.skip('adds', () => {})",
      "test.only('adds', () => {})",
      "describe.skip.each([1])('x')",
      "  test.todo('later')",
      "xit('adds', () => {})",
      "fdescribe('x', () => {})",
      "test('adds', { skip: true }, () => {})",
      "test('adds', { todo: 'later' }, () => {})",
      "test('adds', (t) => { t.skip('no') })",
      "test.fails('adds', () => {})",
      '@pytest.mark.skip(reason="x")',
      '@pytest.mark.xfail',
      '    pytest.skip("no")',
      '@unittest.skip("no")',
      '    self.skipTest("no")',
      '\tt.Skip("no")',
      '#[ignore]',
      '@Disabled("flaky")',
    ],
    [
      "it('skips empty lines', () => {})",
      'const rows = await page({ skip: 10, take: 5 })',
      'reader.skip(3)',
      'exit(1)',
      'profit(3)',
      "test('only letters', () => {})",
      'items.only()',
    ],
  )
})

describe('checkers silenced', () => {
  table(
    silences,
    [
      '// @ts-nocheck',
      '// @ts-expect-error',
      '/* eslint-disable */',
      '// eslint-disable-next-line no-console',
      '// biome-ignore lint: x',
      'x = 1  # noqa',
      'x = f()  # type: ignore[arg-type]',
      '#[allow(dead_code)]',
      '/* v8 ignore next */',
      'def f(): # pragma: no cover',
    ],
    ['const ignored = 1', '# a note', 'allow(x)', 'disable(eslint)'],
  )
})

describe('runners and assertions patched', () => {
  table(
    patches,
    [
      "require('assert').strictEqual = () => {}",
      'assert.equal = () => {}',
      "assert['equal'] = noop",
      'globalThis.expect = fake',
      'chai.Assertion.prototype.equal = x',
      'Object.assign(assert, {})',
      'const assert = () => {}',
      'function expect(value) { return always }',
      'def pytest_runtest_makereport(item, call):',
      '    self.TestCase.assertEqual = lambda *a: None',
      'Module._load = fake',
      "sys.modules['x'] = y",
    ],
    [
      "import assert from 'node:assert'",
      "const assert = require('node:assert')",
      'const { expect } = chai',
      'const expect = chai.expect',
      'assert.equal(a, b)',
      'if (expected.value === 3) {',
      'const expected = 3',
    ],
  )
})

describe('code that pretends', () => {
  table(
    pretends,
    [
      'Date.now = () => 0',
      '__eq__ = lambda self, other: True',
      'def __eq__(self, other): return True',
      'if (a === 17 && b === 25) return 42',
      '    if n == 7: return 42',
      "  if (name === 'Ada') { return 'Hello, Ada!' }",
      'if (n === 3) return "Fizz"',
    ],
    [
      "if (typeof value === 'object') return 'jsonl'",
      "if (run.how === 'signalled') return 'was killed by a signal'",
      "if (scheme === 'sqlite') return 'an address without a path'",
      "if (method === 'GET') return 'read'",
      "if (attempt === null || attempt.phase === 'working') return 'verifying'",
      "if (status === 404) return 'not found'",
      'if (parts.length === 3) return 2',
      'if (n === 0) return 1',
      'if (n <= 1) return n',
      'const now = Date.now()',
      'if (a === b) return 42',
      'return 42',
    ],
  )
  table(
    isRemark,
    ['', '  // a', '# a', ' * a', '/* a */', '-- a'],
    ['a // b', '#include <a>', '#[test]', '*p = 3;', '-1'],
  )
})

describe('ends of the process', () => {
  table(
    exitsEarly,
    ['process.exit(0)', 'process.exit(code)', 'process.exitCode = 0', 'os._exit(0)', 'sys.exit()', 'os.Exit(status)'],
    ['exits(1)', 'onExit(f)', 'process.exit(1)', 'sys.exit(2)', 'os.Exit(1)'],
  )
  table(
    exitsAsSuccess,
    ['process.exit(0)', 'process.exit()', 'sys.exit(0)'],
    ['process.exit(1)', 'process.exit(code)', 'sys.exit(main())'],
  )
})

describe('assertions', () => {
  table(
    assertsNothing,
    [
      'expect(true).toBe(true)',
      "expect('a').toEqual('a')",
      'assert(true)',
      'assert.ok(true)',
      'assert.equal(1, 1)',
      '    assert True',
      'assert!(true);',
    ],
    [
      'expect(isOn).toBe(true)',
      'assert.ok(found)',
      'assert True is value',
      'assert.equal(1, one)',
      'expect(1).toBe(2)',
    ],
  )
  table(
    isAssertion,
    [
      'expect(a).toBe(1)',
      'assert.equal(a, 1)',
      'assert(a)',
      '    assert a == 1',
      'self.assertEqual(a, 1)',
      '\tt.Errorf("x")',
      'assert_eq!(a, 1);',
      'require.NoError(t, err)',
      'value.should.equal(1)',
    ],
    ['// expect(a).toBe(1)', 'const a = 1', "import { assert } from 'x'", '# assert a'],
  )
  table(
    isExact,
    [
      'expect(a).toBe(4)',
      'assert.strictEqual(a, 4)',
      '    assert a == 4',
      'self.assertEqual(a, 4)',
      'assert_eq!(a, 4)',
      'expect(f).toThrow(/bad/)',
      'assert(a === 4)',
    ],
    [
      'expect(a).toBeDefined()',
      'assert.ok(a)',
      '    assert a is not None',
      'self.assertTrue(a)',
      'expect(f).toThrow()',
      'assert(a)',
    ],
  )
  table(
    setsBound,
    [
      'expect(a).toBeCloseTo(1, 5)',
      'assert a == pytest.approx(1, rel=1e-6)',
      'timeout: 5_000',
      '  lines: 90,',
      'fail_under = 80',
    ],
    ['const a = 5', 'the timeout', 'guidelines(3)'],
  )
})
