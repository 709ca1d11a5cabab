import { describe, expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { testCases } from './test-cases.ts'

const titles = async (path: string, text: string): Promise<string[]> =>
  testCases(await readSource(path, text)).map(({ title, line, end }) => `${line}-${end} ${title}`)

describe('the tests of a file', () => {
  it.each<[path: string, text: string, titles: readonly string[]]>([
    ['a.js', "test('a', () => {\n})\nit.skip('b', function () {})\ntest.todo('c')", ['1-2 a', '3-3 b', '4-4 c']],
    [
      'a.js',
      "describe('g', () => {\n  it('a', async () => {})\n  describe.skip('h', () => { it('b', () => {}) })\n})",
      ['2-2 g > a', '3-3 g > h > b'],
    ],
    [
      'a.ts',
      "it.each([1, 2])('n %s', (n: number) => { f(n) })\nit.each`a\n${1}\n`('$a', () => {})",
      ['1-1 n %s', '2-4 $a'],
    ],
    ['a.js', "test('a', { timeout: 1 }, async (t) => { await t.test('b', () => {}) })", ['1-1 a', '1-1 a > b']],
    ['a.js', 'for (const n of all) it(`n ${n}`, () => {})\nit(name, () => {})', ['1-1 n ${n}', '2-2 name']],
    [
      'a.js',
      "suite('s', () => { test('a', done => { done() }) })\nfoo.test('b')\ntest.use({});\n/x/.test('y')",
      ['1-1 s > a'],
    ],
    [
      'test_a.py',
      'def test_a():\n    pass\n\nclass TestB:\n    def test_c(self):\n        def test_inner(): pass\n    def helper(self): pass\n\n@pytest.mark.parametrize("x", [1])\nasync def test_d(x): pass\n',
      ['1-2 test_a', '5-6 TestB::test_c', '9-10 test_d'],
    ],
    [
      'a_test.go',
      'package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("x y", func(t *testing.T) {\n\t\tt.Run("z", func(t *testing.T) {})\n\t})\n\tt.Run(name, func(t *testing.T) {})\n}\n\nfunc Testify() {}\n\nfunc TestMain(m *testing.M) {}\n',
      ['3-8 TestA', '4-6 TestA/x_y', '5-5 TestA/x_y/z'],
    ],
    [
      'a.rs',
      'fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    // why\n    #[ignore]\n    fn a() {}\n    fn helper() {}\n    #[tokio::test]\n    async fn b() {}\n}\n',
      ['7-7 tests::a', '10-10 tests::b'],
    ],
    [
      'ATest.java',
      'class ATest {\n  @Test void a() {}\n  @ParameterizedTest @ValueSource(ints = {1}) void b(int x) {}\n  void helper() {}\n  @Nested class In { @Test public void c() {} }\n}',
      ['2-2 ATest.a', '3-3 ATest.b', '5-5 ATest$In.c'],
    ],
    [
      'a_spec.rb',
      "describe 'A' do\n  context 'b' do\n    it 'c' do\n      x\n    end\n    it { y }\n  end\n  let(:z) { 1 }\nend\n",
      ['3-5 A b c', '6-6 A b'],
    ],
    [
      'a_test.rb',
      "class ATest < Minitest::Test\n  def test_a\n  end\n  def helper; end\n  test 'b c' do\n  end\nend\n",
      ['2-3 ATest#test_a', '5-6 ATest#b c'],
    ],
    ['a.c', 'void test_a(void) {}', []],
  ])('%s %s', async (path, text, expected) => {
    expect(await titles(path, text)).toEqual(expected)
  })

  const bodies = async (path: string, text: string): Promise<string[]> =>
    testCases(await readSource(path, text)).map(({ body }) => body)

  it.each([
    [
      'renamed',
      'a.js',
      "it('a', () => { expect(f(1)).toBe(2) })",
      'describe(\'g\', () => {\n  // moved\n  test("b", async () => {\n    expect(f(1)).toBe(2);\n  })\n})',
    ],
    [
      'renamed',
      'a.py',
      'def test_a():\n  assert f(1) == 2\n',
      'class TestX:\n    def test_b(self):\n        # why\n        assert f(1) == 2\n',
    ],
    [
      'renamed',
      'a_test.go',
      'package a\nfunc TestA(t *testing.T) { f(t) }',
      'package b\nfunc TestB(t *testing.T) {\n\tf(t)\n}',
    ],
    ['renamed', 'a.rs', '#[test]\nfn a() { f(); }', 'mod t { #[test] fn b() { f(); } }'],
    ['renamed', 'A.java', 'class A { @Test void a() { f(); } }', 'class B { @Test public void b() {\n f(); } }'],
    ['renamed', 'a.rb', "it('a') { f }", "describe 'g' do\n  it('b') { f }\nend"],
  ])('have the same body when %s: %s', async (_, path, a, b) => {
    const [before, after] = [await bodies(path, a), await bodies(path, b)]
    expect(before).toHaveLength(1)
    expect(before[0]).not.toBe('')
    expect(after).toEqual(before)
  })

  it('have another body when they check something else, or have another table', async () => {
    const [a, b, c, d] = await bodies(
      'a.js',
      "it('a', () => { f(1) })\nit('a', () => { f(2) })\nit.each([1])('a', (x) => { f(x) })\nit.each([2])('a', (x) => { f(x) })",
    )
    expect(new Set([a, b, c, d]).size).toBe(4)
  })
})
