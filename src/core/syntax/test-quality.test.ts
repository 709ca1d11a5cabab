import { describe, expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { testQuality } from './test-quality.ts'

const CHANGED = ['src/cart.js', 'src/shop/cart.py', 'src/lib.rs']

const whats = async (path: string, text: string): Promise<string[]> =>
  testQuality(await readSource(path, text), CHANGED).map(({ line, what }) => `${line} ${what}`)

const NONE = '1 has no assertion'
const CONSTANT = '1 asserts a constant'
const ITSELF = '1 compares a value with itself'
const DROPPED = '1 catches what its assertions throw and drops it'
const LOST = '1 does not wait for its assertions'
const OFF = '1 is switched off'
const DEAD = '1 has assertions that never run'
const ENDS = '1 ends before its assertions'

describe('tests that prove little', () => {
  it.each<[path: string, text: string, found: readonly string[]]>([
    ['a.test.js', "it('a', () => { f() })", [NONE]],
    ['a.test.js', "it('a', () => { expect(f()) })", [NONE]],
    ['a.test.js', "it('a', () => { console.assert(f()) })", [NONE]],
    ['a.test.js', "function run() { f() }\nit('a', () => { run() })", ['2 has no assertion']],
    ['a.test.js', "it('a', () => { expect(true).toBe(true) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { expect(\n  1\n).toEqual(1) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { assert.ok(true) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { assert(1 === 1) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { const x = f(); expect(x).toBe(x) })", [ITSELF]],
    ['a.test.js', "it('a', () => { assert.deepEqual(f(1), f(1)) })", [ITSELF]],
    ['a.test.js', "it('a', () => { expect(a === a).toBe(true) })", [ITSELF]],
    ['a.test.js', "it('a', () => { try { expect(f()).toBe(1) } catch {} })", [DROPPED]],
    ['a.test.js', "it('a', () => { try { assert.equal(f(), 1) } catch (e) { console.log(e) } })", [DROPPED]],
    ['a.test.js', "it('a', () => { try { expect(f()).toBe(1) } finally { return } })", [DROPPED]],
    ['a.test.js', "it('a', async () => { await g().then((x) => expect(x).toBe(1)).catch(() => {}) })", [DROPPED]],
    ['a.test.js', "it('a', () => { expect(f()).resolves.toBe(1) })", [LOST]],
    ['a.test.js', "it('a', () => { assert.rejects(f()) })", [LOST]],
    ['a.test.js', "it('a', () => { f().then((x) => { expect(x).toBe(1) }) })", [LOST]],
    ['a.test.js', "it('a', () => { (async () => { expect(await f()).toBe(1) })() })", [LOST]],
    ['a.test.js', "it('a', () => { all.forEach(async (x) => { expect(await f(x)).toBe(1) }) })", [LOST]],
    ['a.test.js', "it('a', () => { setTimeout(() => { expect(f()).toBe(1) }, 10) })", [LOST]],
    ['a.test.js', "it('a', () => { check() })\nasync function check() { expect(await f()).toBe(1) }", [LOST]],
    ['a.test.js', "it('a', () => { return; expect(f()).toBe(1) })", [ENDS]],
    ['a.test.js', "it('a', () => { process.exit(0); expect(f()).toBe(1) })", [ENDS, '1 ends the run with success']],
    ['a.test.js', "it('a', () => { if (true) return\nexpect(f()).toBe(1) })", [ENDS]],
    ['a.test.js', "it('a', () => { for (const x of []) expect(x).toBe(1) })", [DEAD]],
    ['a.test.js', "it('a', () => { [].forEach((x) => { expect(x).toBe(1) }) })", [DEAD]],
    ['a.test.js', "it('a', () => { if (false) { expect(f()).toBe(1) } })", [DEAD]],
    ['a.test.js', "it.each([])('a', (x) => { expect(f(x)).toBe(1) })", ['1 has no cases']],
    ['a.test.js', "it.skip('a', () => { expect(f()).toBe(1) })", [OFF]],
    ['a.test.js', "xdescribe('a', () => { it('b', () => { expect(f()).toBe(1) }) })", [OFF]],
    ['a.test.js', "it.only('a', () => { expect(f()).toBe(1) })", ['1 keeps other tests from running']],
    ['a.test.js', "test('a', { skip: true }, () => { assert.equal(f(), 1) })", [OFF]],
    ['a.test.js', "test('a', (t) => { t.skip(); assert.equal(f(), 1) })", [OFF]],
    ['a.test.js', "it.skipIf(true)('a', () => { expect(f()).toBe(1) })", [OFF]],
    ['a.test.js', "it.fails('a', () => { expect(f()).toBe(1) })", ['1 is meant to fail']],
    ['a.test.js', "test.todo('a')", [OFF]],
    [
      'test/a.test.js',
      "vi.mock('../src/cart.js', () => ({ total: () => 3 }))",
      ['1 replaces src/cart.js, which it is to test'],
    ],
    ['test/a.test.js', "jest.mock('../src/cart')", ['1 replaces src/cart.js, which it is to test']],
    [
      'src/a.test.js',
      "mock.module(new URL('./cart.js', import.meta.url).href, {})",
      ['1 replaces src/cart.js, which it is to test'],
    ],
    [
      'src/a.test.js',
      "import * as cart from './cart.js'\nvi.spyOn(cart, 'total').mockReturnValue(1)",
      ['2 replaces src/cart.js, which it is to test'],
    ],
    [
      'test/a.test.js',
      "it('a', () => { expect(readFileSync('src/cart.js', 'utf8')).toContain('total') })",
      ['1 reads src/cart.js as a text'],
    ],
    [
      'test/a.test.js',
      "it('a', () => { expect(readFileSync(join(root, 'src', 'cart.js'), 'utf8')).toContain('x') })",
      ['1 reads src/cart.js as a text'],
    ],
    [
      'test/a.test.js',
      "it('a', () => { expect(readFileSync(new URL('../src/cart.js', import.meta.url))).toMatch(/x/) })",
      ['1 reads src/cart.js as a text'],
    ],
    ['a.test.js', "it('a', () => { assert(f() || true) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { expect(f() || true).toBe(true) })", [CONSTANT]],
    ['a.test.js', "it('a', () => { expect(f()).toEqual(expect.anything()) })", ['1 accepts any value']],
    ['a.test.js', "it('a', () => { try { expect(f()).toBe(1) } catch (e) { expect(e).toBeDefined() } })", [DROPPED]],
    [
      'a.test.js',
      "const expect = () => ({ toBe() {} })\nit('a', () => { expect(f()).toBe(1) })",
      ['1 defines expect itself'],
    ],
    [
      'a.test.js',
      "it('a', () => { expect(f()).toBe(1) })\nafter(() => { process.exit(0) })",
      ['2 ends the run with success'],
    ],
    ['a.test.js', 'after(() => { process.exitCode = 0 })', ['1 ends the run with success']],
    ['a.test.js', "process.on('uncaughtException', () => {})", ['1 catches the errors of the whole run']],
    ['a.rs', 'macro_rules! assert_eq { ($a:expr, $b:expr) => {}; }', ['1 defines assert_eq itself']],
    ['test_a.py', 'def test_a():\n    assert f() or True\n', ['2 asserts a constant']],
    ['test_a.py', 'def test_a():\n    assert f() == mock.ANY\n', ['2 accepts any value']],
    [
      'a_test.go',
      'package a\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n',
      ['4 ends the run with success'],
    ],
    ['test_a.py', 'def test_a():\n    f()\n', [NONE]],
    ['test_a.py', 'def test_a():\n    assert True\n', ['2 asserts a constant']],
    ['test_a.py', 'def test_a():\n    assert 1 == 1\n', ['2 asserts a constant']],
    ['test_a.py', 'def test_a():\n    assert (f() == 1, "x")\n', ['2 asserts a constant']],
    [
      'test_a.py',
      'class T(TestCase):\n    def test_a(self):\n        self.assertEqual(x, x)\n',
      ['3 compares a value with itself'],
    ],
    [
      'test_a.py',
      'def test_a():\n    try:\n        assert f() == 1\n    except Exception:\n        pass\n',
      ['2 catches what its assertions throw and drops it'],
    ],
    [
      'test_a.py',
      'def test_a():\n    with suppress(AssertionError):\n        assert f() == 1\n',
      ['2 catches what its assertions throw and drops it'],
    ],
    ['test_a.py', 'def test_a():\n    return\n    assert f() == 1\n', ['2 ends before its assertions']],
    ['test_a.py', 'def test_a():\n    for x in []:\n        assert f(x)\n', ['2 has assertions that never run']],
    ['test_a.py', '@pytest.mark.skip(reason="x")\ndef test_a():\n    assert f() == 1\n', [OFF]],
    ['test_a.py', '@unittest.skipIf(True, "x")\ndef test_a():\n    assert f() == 1\n', [OFF]],
    ['test_a.py', 'def test_a():\n    pytest.skip("x")\n    assert f() == 1\n', ['2 is switched off']],
    [
      'test_a.py',
      '@patch("shop.cart.total")\ndef test_a(total):\n    assert total() == 1\n',
      ['1 replaces src/shop/cart.py, which it is to test'],
    ],
    [
      'test_a.py',
      'def test_a(monkeypatch):\n    monkeypatch.setattr("shop.cart.total", lambda: 1)\n    assert total() == 1\n',
      ['2 replaces src/shop/cart.py, which it is to test'],
    ],
    [
      'test_a.py',
      'def test_a():\n    assert "def total" in open("src/shop/cart.py").read()\n',
      ['2 reads src/shop/cart.py as a text'],
    ],
    ['a_test.go', 'package a\nfunc TestA(t *testing.T) { f() }\n', ['2 has no assertion']],
    ['a_test.go', 'package a\nfunc TestA(t *testing.T) { assert.Equal(t, 1, 1) }\n', ['2 asserts a constant']],
    [
      'a_test.go',
      'package a\nfunc TestA(t *testing.T) {\n\tt.Skip("x")\n\tif f() != 1 { t.Fatal() }\n}\n',
      ['3 is switched off'],
    ],
    [
      'a_test.go',
      'package a\nfunc TestA(t *testing.T) { go func() { if f() != 1 { t.Error() } }() }\n',
      ['2 does not wait for its assertions'],
    ],
    [
      'a_test.go',
      'package a\nfunc TestA(t *testing.T) {\n\tfor _, x := range []int{} { if f(x) != 1 { t.Fatal() } }\n}\n',
      ['3 has assertions that never run'],
    ],
    ['a.rs', '#[test]\nfn a() { f(); }', ['2 has no assertion']],
    ['a.rs', '#[test]\nfn a() { assert!(true); }', ['2 asserts a constant']],
    ['a.rs', '#[test]\nfn a() { assert_eq!(x, x); }', ['2 compares a value with itself']],
    ['a.rs', '#[test]\n#[ignore]\nfn a() { assert_eq!(f(), 1); }', ['3 is switched off']],
    [
      'a.rs',
      '#[test]\nfn a() { let _ = std::panic::catch_unwind(|| { assert_eq!(f(), 1); }); }',
      ['2 catches what its assertions throw and drops it'],
    ],
    [
      'tests/a.rs',
      '#[test]\nfn a() { assert!(include_str!("../src/lib.rs").contains("fn f")); }',
      ['2 reads src/lib.rs as a text'],
    ],
    ['ATest.java', 'class ATest { @Test void a() { f(); } }', [NONE]],
    ['ATest.java', 'class ATest { @Test void a() { assertTrue(true); } }', [CONSTANT]],
    ['ATest.java', 'class ATest { @Test void a() { assertThat(x).isEqualTo(x); } }', [ITSELF]],
    [
      'ATest.java',
      'class ATest { @Test void a() { try { assertEquals(1, f()); } catch (Throwable e) { } } }',
      [DROPPED],
    ],
    ['ATest.java', 'class ATest { @Disabled @Test void a() { assertEquals(1, f()); } }', [OFF]],
    ['a_spec.rb', "it 'a' do\n  f\nend\n", [NONE]],
    ['a_spec.rb', "it('a') { expect(1).to eq(1) }\n", [CONSTANT]],
    ['a_spec.rb', "xit('a') { expect(f).to eq(1) }\n", [OFF]],
    [
      'a_test.rb',
      'class A < Minitest::Test\n  def test_a\n    assert_equal 1, 1\n  end\n  def test_b\n    skip\n    assert_equal 1, f\n  end\nend\n',
      ['3 asserts a constant', '6 is switched off'],
    ],
  ])('%s %s', async (path, text, found) => {
    expect(await whats(path, text)).toEqual(found)
  })

  it.each<[path: string, text: string]>([
    ['a.test.js', "it('a', () => { expect(f(1)).toBe(1) })"],
    ['a.test.js', "it('a', async () => { await expect(f()).rejects.toThrow('x') })"],
    ['a.test.js', "it('a', () => expect(f()).resolves.toBe(1))"],
    ['a.test.js', "it('a', () => f().then((x) => { expect(x).toBe(1) }))"],
    ['a.test.js', "it('a', (done) => { f().then((x) => { expect(x).toBe(1); done() }) })"],
    ['a.test.js', "it('a', () => { expect(f()).to.be.true })"],
    ['a.test.js', "test('a', (t) => { t.is(f(), 1) })"],
    ['a.test.js', "test('a', async (t) => { await t.test('b', () => { assert.equal(f(), 1) }) })"],
    ['a.test.js', "it('a', () => { try { f(); assert.fail() } catch (e) { assert.equal(e.code, 'X') } })"],
    ['a.test.js', "it('a', () => { try { expect(f()).toBe(1) } catch (e) { throw e } })"],
    ['a.test.js', "it('a', () => { try { expect(f()).toBe(1) } finally { close() } })"],
    ['a.test.js', "const same = (a, b) => { assert.deepEqual(a, b) }\nit('a', () => { same(f(), 1) })"],
    ['a.test.js', "import { run } from '../test/rig/run.js'\nit('a', () => { run('x') })"],
    ['a.test.js', "it('a', () => { if (process.platform === 'win32') return\nexpect(f()).toBe(1) })"],
    ['a.test.js', "it('a', () => { for (const x of [1, 2]) expect(f(x)).toBe(1) })"],
    ['a.test.js', "it('a', () => { if (!f()) throw new Error('x') })"],
    ['a.test.js', "it('a', () => { expect(f()).not.toBe(undefined); expect(a).toBe(b) })"],
    ['a.test.js', "it.skipIf(isWindows)('a', () => { expect(f()).toBe(1) })"],
    ['a.test.js', "it('a', () => { if (x) assert.fail(); else assert.equal(f(), 1) })"],
    ['test/a.test.js', "vi.mock('../src/clock.js')\nit('a', () => { expect(f()).toBe(1) })"],
    ['test/a.test.js', "it('a', () => { expect(readFileSync('out/cart.js', 'utf8')).toBe('x') })"],
    [
      'a.test.js',
      "const { expect } = require('chai')\nconst assert = require('assert')\nit('a', () => { expect(f()).to.equal(1) })",
    ],
    ['a.test.js', "it('a', () => { try { f(); assert.fail() } catch (e) { assert.ok(e) } })"],
    ['a_test.go', 'package a\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n'],
    ['test_a.py', 'def test_a():\n    with pytest.raises(ValueError):\n        f()\n'],
    ['test_a.py', 'def check(x):\n    assert x\n\ndef test_a():\n    check(f())\n'],
    ['test_a.py', 'def test_a(run_all):\n    run_all(1)\n'],
    ['test_a.py', 'def test_a():\n    try:\n        f()\n    except ValueError as e:\n        assert str(e) == "x"\n'],
    ['test_a.py', '@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_a():\n    assert f() == 1\n'],
    ['test_a.py', '@patch("shop.clock.now")\ndef test_a(now):\n    assert f() == 1\n'],
    ['a_test.go', 'package a\nfunc TestA(t *testing.T) { if f() != 1 { t.Fatalf("x") } }\n'],
    ['a_test.go', 'package a\nfunc TestA(t *testing.T) { check(t, f()) }\n'],
    [
      'a_test.go',
      'package a\nfunc TestA(t *testing.T) {\n\tif testing.Short() { t.Skip() }\n\tif f() != 1 { t.Fatal() }\n}\n',
    ],
    ['a.rs', '#[test]\nfn a() { assert_eq!(f(1), 1); }'],
    ['a.rs', '#[test]\n#[should_panic]\nfn a() { f(); }'],
    ['a.rs', '#[test]\nfn a() { f().unwrap(); }'],
    [
      'ATest.java',
      'class ATest { @Test void a() { assertThrows(X.class, () -> f()); } @Test(expected = X.class) void b() { f(); } }',
    ],
    ['a_spec.rb', "it('a') { expect(f).to eq(1) }\nit { is_expected.to be_valid }\n"],
  ])('not %s %s', async (path, text) => {
    expect(await whats(path, text)).toEqual([])
  })

  it('says which test it is about', async () => {
    const source = await readSource(
      'a.test.js',
      "describe('g', () => {\n  it('a', () => { f() })\n})\nvi.mock('./src/cart.js')\n",
    )
    expect(testQuality(source, CHANGED)).toEqual([
      { line: 2, what: 'has no assertion', test: 'g > a' },
      { line: 4, what: 'replaces src/cart.js, which it is to test', test: null },
    ])
  })
})
