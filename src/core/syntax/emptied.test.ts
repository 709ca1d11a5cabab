import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSource, tryToRead } from '../../../test/rig/read-source.ts'
import { emptied } from './emptied.ts'

type Case = readonly [what: string, path: string, before: string, after: string | null]

const scripts: readonly Case[] = [
  ['a string', 'a.js', "export function f(a) { return 'x' + a }", "export function f(a) { return '' }"],
  ['a template', 'a.js', 'const f = (a) => `x${a}`', "const f = (a) => ''"],
  ['a number', 'a.js', 'export const f = (a, b) => a * b', 'export const f = (a, b) => 0'],
  ['a boolean', 'a.js', 'const isOld = (a) => a.age > 65', 'const isOld = (a) => false'],
  ['a list', 'a.js', 'const f = (a) => a.map((x) => x + 1)', 'const f = (a) => []'],
  [
    'an object keeps its keys',
    'a.js',
    "function f() { return { a: 'x', b: 2, c: g() } }",
    "function f() { return { a: '', b: 0, c: undefined } }",
  ],
  ['an arrow that returns an object', 'a.js', 'const f = (a) => ({ n: a.length })', 'const f = (a) => ({ n: 0 })'],
  ['nothing', 'a.js', 'function f(a) { a.x = 1 }', 'function f(a) {}'],
  ['nothing in the end', 'a.js', 'function f(a) { if (a) return; go() }', 'function f(a) {}'],
  ['a value or null', 'a.js', "function f(a) { if (a) return null; return 'x' }", "function f(a) { return '' }"],
  [
    'a variable',
    'a.js',
    'function f(a) { const all = []; for (const b of a) all.push(b); return all }',
    'function f(a) { return [] }',
  ],
  ['a parameter with a default', 'a.js', "function f(a = 'x') { return a }", "function f(a = 'x') { return '' }"],
  [
    'another function of the file',
    'a.js',
    "function f() { return g() }\nfunction g() { return 'x' }",
    "function f() { return '' }\nfunction g() { return '' }",
  ],
  [
    'an async function',
    'a.js',
    'async function f(a) { return await g(a) }\nconst g = async () => 3',
    'async function f(a) { return 0 }\nconst g = async () => 0',
  ],
  ['a promise', 'a.js', "function f() { return Promise.resolve('x') }", "function f() { return Promise.resolve('') }"],
  ['a generator', 'a.js', 'function* f() { yield 1 }', 'function* f() {}'],
  ['an unknown kind', 'a.js', 'const f = (a) => other(a)', 'const f = (a) => undefined'],
  ['a component', 'a.jsx', 'export const F = ({ a }) => <p>{a}</p>', 'export const F = ({ a }) => null'],
  [
    'methods',
    'a.js',
    "class A { f() { return 'x' } get g() { return 1 } static h() { return true } }",
    "class A { f() { return '' } get g() { return 0 } static h() { return false } }",
  ],
  [
    'a constructor',
    'a.js',
    'class A extends B { constructor(a) { super(a); this.a = a; this.all = [1]; go() } }',
    'class A extends B { constructor(a) { super(a); this.a = a; this.all = [] } }',
  ],
  ['a constructor of plain fields', 'a.js', 'class A { constructor(a) { this.a = a } }', null],
  [
    'what a factory makes',
    'a.js',
    "function make() { let n = 0; const get = () => n + 1; return { get, name() { return 'x' } } }",
    "function make() { let n = 0; const get = () => 0; return { get, name() { return '' } } }",
  ],
  ['a function that makes a function', 'a.js', 'const add = (a) => (b) => a + b + 1', 'const add = (a) => (b) => 0'],
  [
    'a module in a function',
    'a.js',
    '(function () { exports.f = () => 1 })()',
    '(function () { exports.f = () => 0 })()',
  ],
  [
    'constants',
    'a.js',
    "export const A = 'x', B = 3, C = true, D = [1], E = { a: 1 }, F = new Set([1])",
    "export const A = '', B = 0, C = false, D = [], E = {}, F = new Set()",
  ],
  [
    'an object with functions',
    'a.js',
    "export const A = { f: () => 1, name: 'x' }",
    "export const A = { f: () => 0, name: '' }",
  ],
  ['the exports stay', 'a.js', 'module.exports = { a, b }', null],
  ['types come first', 'a.ts', 'function f(a: any): string { return a }', "function f(a: any): string { return '' }"],
  ['a list of some type', 'a.ts', 'const f = (a: A): readonly B[] => g(a)', 'const f = (a: A): readonly B[] => []'],
  [
    'a promise of some type',
    'a.ts',
    'async function f(): Promise<Map<string, number>> { return go() }',
    'async function f(): Promise<Map<string, number>> { return new Map() }',
  ],
  [
    'a promise that is not awaited',
    'a.ts',
    'function f(): Promise<number> { return go() }',
    'function f(): Promise<number> { return Promise.resolve(0) }',
  ],
  [
    'a value or null by its type',
    'a.ts',
    'function f(): string | null { return go() }',
    "function f(): string | null { return '' }",
  ],
  [
    'a type of the file',
    'a.ts',
    'interface P { x: number; y?: number; name: string }\nfunction f(): P { return go() }',
    "interface P { x: number; y?: number; name: string }\nfunction f(): P { return { x: 0, name: '' } }",
  ],
  [
    'words',
    'a.ts',
    "type W = 'on' | 'off'\nfunction f(): W { return go() }",
    "type W = 'on' | 'off'\nfunction f(): W { return 'on' }",
  ],
  [
    'a type from elsewhere, by its value',
    'a.ts',
    "function f(): P { return { x: 'a' } }",
    "function f(): P { return { x: '' } }",
  ],
  [
    'a type guard',
    'a.ts',
    'function f(a: unknown): a is string { return go(a) }',
    'function f(a: unknown): a is string { return false }',
  ],
  ['an abstract method', 'a.ts', 'abstract class A { abstract f(): string }', null],
  [
    'typed constants',
    'a.ts',
    "const A: Readonly<Record<string, number>> = { a: 1 }\nconst B = ['x'] as const",
    'const A: Readonly<Record<string, number>> = {}\nconst B = [] as const',
  ],
  [
    'a component with types',
    'a.tsx',
    'export function F(): JSX.Element { return <p /> }',
    'export function F(): JSX.Element { return null }',
  ],
  [
    'tests in the source',
    'a.ts',
    'const f = () => 1\nif (import.meta.vitest) {\n  it("f", () => { expect(f()).toBe(1) })\n}',
    'const f = () => 0\nif (import.meta.vitest) {\n  it("f", () => { expect(f()).toBe(1) })\n}',
  ],
]

const others: readonly Case[] = [
  ['python by type', 'a.py', 'def f(a) -> str:\n    x = a\n    return x\n', "def f(a) -> str:\n    return ''\n"],
  [
    'python by value',
    'a.py',
    'def f(a):\n    """Doc."""\n    if a:\n        return None\n    return [x for x in a]\n',
    'def f(a):\n    """Doc."""\n    return []\n',
  ],
  [
    'python optional',
    'a.py',
    'def f(a) -> Optional[int]:\n    return g()\n',
    'def f(a) -> Optional[int]:\n    return 0\n',
  ],
  [
    'python tuple',
    'a.py',
    'def f(a) -> tuple[int, str]:\n    return g()\n',
    "def f(a) -> tuple[int, str]:\n    return (0, '')\n",
  ],
  ['python nothing', 'a.py', 'def f(a):\n    print(a)\n', 'def f(a):\n    pass\n'],
  ['python generator', 'a.py', 'def f(a):\n    for x in a:\n        yield x\n', 'def f(a):\n    return; yield\n'],
  [
    'python constructor',
    'a.py',
    'class A:\n    def __init__(self, a):\n        super().__init__()\n        self.a = a\n        self.all: list = [1]\n        go()\n',
    'class A:\n    def __init__(self, a):\n        super().__init__(); self.a = a; self.all: list = []\n',
  ],
  [
    'python decorator',
    'a.py',
    'def d(f):\n    def inner(a):\n        return f(a) + 1\n    return inner\n',
    'def d(f):\n    def inner(a):\n        return 0\n    return inner\n',
  ],
  [
    'python constants',
    'a.py',
    "A = 'x'\nB = {'a': 1}\nC = (1, 2)\n__all__ = ['f']\n",
    "A = ''\nB = {}\nC = ()\n__all__ = ['f']\n",
  ],
  ['python lambda', 'a.py', 'f = lambda a: a > 1\n', 'f = lambda a: False\n'],
  ['python main', 'a.py', 'if __name__ == "__main__":\n    def go():\n        return 1\n    go()\n', null],
  ['python on one line', 'a.py', 'def f(a): return a * 2\n', 'def f(a): return 0\n'],
  [
    'go zero values',
    'a.go',
    'package a\n\nfunc F(a int) (string, *T, []int, map[string]int, error) { return g(a) }\n',
    'package a\n\nfunc F(a int) (string, *T, []int, map[string]int, error) { return "", new(T), []int{}, map[string]int{}, nil }\n',
  ],
  [
    'go named results',
    'a.go',
    'package a\n\nfunc (s *S) F() (n, m int, err error) { n = 1; return }\n',
    'package a\n\nfunc (s *S) F() (n, m int, err error) { return 0, 0, nil }\n',
  ],
  [
    'go struct',
    'a.go',
    'package a\n\nfunc F() time.Time { return time.Now() }\n',
    'package a\n\nfunc F() time.Time { return *new(time.Time) }\n',
  ],
  [
    'go imports',
    'a.go',
    'package a\n\nimport (\n\t"fmt"\n\t"strings"\n)\n\nfunc F() string { return fmt.Sprint(1) }\n\nvar X = strings.ToUpper("a")\n',
    'package a\n\nimport (\n\t_ "fmt"\n\t"strings"\n)\n\nfunc F() string { return "" }\n\nvar X = strings.ToUpper("a")\n',
  ],
  [
    'go constants',
    'a.go',
    'package a\n\nconst A, B = 1, "x"\n\nvar C = []int{1}\n',
    'package a\n\nconst A, B = 0, ""\n\nvar C = []int{}\n',
  ],
  [
    'rust',
    'a.rs',
    'pub fn f(a: &str) -> String { a.to_uppercase() }\nfn g() -> Result<Vec<u8>, E> { h() }\nfn i(a: &mut u8) { *a += 1; }\nfn j() -> (u8, bool) { (1, true) }',
    'pub fn f(a: &str) -> String { String::new() }\nfn g() -> Result<Vec<u8>, E> { Ok(Vec::new()) }\nfn i(a: &mut u8) {}\nfn j() -> (u8, bool) { (0, false) }',
  ],
  [
    'rust, a type with a default',
    'a.rs',
    '#[derive(Debug, Default)]\nstruct A { x: u8 }\nimpl A { fn new() -> Self { A { x: 1 } } }',
    '#[derive(Debug, Default)]\nstruct A { x: u8 }\nimpl A { fn new() -> Self { Default::default() } }',
  ],
  ['rust, a type without one', 'a.rs', 'struct A;\nfn f() -> A { A }', null],
  [
    'rust, a struct',
    'a.rs',
    'struct A { x: u8, y: Vec<u8> }\nimpl A { fn new() -> Self { g() } }',
    'struct A { x: u8, y: Vec<u8> }\nimpl A { fn new() -> Self { A { x: 0, y: Vec::new() } } }',
  ],
  [
    'rust, an enum',
    'a.rs',
    'enum A { X(u8), Y }\nfn f() -> Result<A, E> { g() }',
    'enum A { X(u8), Y }\nfn f() -> Result<A, E> { Ok(A::Y) }',
  ],
  [
    'java, an enum and a record',
    'A.java',
    'class A { enum K { X } record R(int a, K k) {} K f() { return x; } R g() { return x; } }',
    'class A { enum K { X } record R(int a, K k) {} K f() { return K.values()[0]; } R g() { return new R(0, K.values()[0]); } }',
  ],
  [
    'rust tests',
    'a.rs',
    'fn f() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn g() { assert_eq!(super::f(), 1); }\n}',
    'fn f() -> u8 { 0 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn g() { assert_eq!(super::f(), 1); }\n}',
  ],
  [
    'rust constants',
    'a.rs',
    'const A: u8 = 3;\nstatic B: &str = "x";\nconst C: &[u8] = &[1];',
    'const A: u8 = 0;\nstatic B: &str = "";\nconst C: &[u8] = &[];',
  ],
  [
    'java',
    'A.java',
    'class A { int f() { return 1; } String g() { return x; } List<String> h() { return x; } int[] i() { return x; } Foo j() { return x; } void k() { go(); } Optional<A> l() { return x; } }',
    'class A { int f() { return 0; } String g() { return ""; } List<String> h() { return new java.util.ArrayList<>(); } int[] i() { return new int[0]; } Foo j() { return null; } void k() {} Optional<A> l() { return java.util.Optional.empty(); } }',
  ],
  [
    'java constructor',
    'A.java',
    'class A { final int x; A(int x) { super(x); this.x = x; go(); } }',
    'class A { final int x; A(int x) { super(x); this.x = x; } }',
  ],
  ['java constant', 'A.java', 'class A { static final String X = "a"; }', 'class A { static final String X = ""; }'],
  [
    'ruby',
    'a.rb',
    "class A\n  def f(a)\n    return 'x' if a\n    a.map { |b| b + 1 }\n  end\n\n  def g?(a) = a > 1\n\n  def self.h\n    1 + 2\n  end\nend\n",
    'class A\n  def f(a)\n    []\n  end\n\n  def g?(a) = false\n\n  def self.h\n    0\n  end\nend\n',
  ],
  [
    'ruby constructor',
    'a.rb',
    'class A\n  def initialize(a)\n    super()\n    @a = a\n    @b = [1]\n    go\n  end\nend\n',
    'class A\n  def initialize(a)\n    super(); @a = a; @b = []\n  end\nend\n',
  ],
  [
    'ruby constant',
    'a.rb',
    "X = %w[a b].freeze\nY = { a: 1 }.freeze\nZ = 'x'\n",
    "X = [].freeze\nY = {}.freeze\nZ = ''\n",
  ],
  [
    'c',
    'a.c',
    'int f(int a) { return a + 1; }\nstatic const char *g(void) { return x; }\nstruct s h(void) { return x; }\nvoid i(int *a) { *a = 1; }\ndouble *j(void) { return x; }\nsize_t k(void) { return 3; }',
    'int f(int a) { return 0; }\nstatic const char *g(void) { return ""; }\nstruct s h(void) { return (struct s){0}; }\nvoid i(int *a) {}\ndouble *j(void) { static double zero; return &zero; }\nsize_t k(void) { return 0; }',
  ],
  [
    'c constants',
    'a.c',
    'static const int A = 3;\nconst char *B = "x";',
    'static const int A = 0;\nconst char *B = "";',
  ],
]

describe('a file without its behaviour', () => {
  it.each([...scripts, ...others])('%s', async (_, path, before, after) => {
    const made = emptied(await readSource(path, before), 'all')
    expect(made).toBe(after)
    if (made !== null) expect(await tryToRead(path, made)).not.toBeNull()
  })

  it('empties only what overlaps the lines', async () => {
    const source = await readSource('a.js', "const a = () => 1\nconst b = () => 2\n// c\nconst c = () => 'x'\n")
    expect(emptied(source, new Set([2]))).toBe("const a = () => 1\nconst b = () => 0\n// c\nconst c = () => 'x'\n")
    expect(emptied(source, new Set([3]))).toBeNull()
  })

  it('leaves the constants where only functions are asked for', async () => {
    const source = await readSource('a.js', "const A = 'x'\nconst f = () => A + 'y'\n")
    expect(emptied(source, 'all', 'functions')).toBe("const A = 'x'\nconst f = () => ''\n")
  })

  it.each([
    [
      'a.js',
      'class A { constructor(a) { const b = f(a); this.a = g(a); this.b = g(b) } }',
      'class A { constructor(a) { this.a = g(a); this.b = undefined } }',
    ],
    [
      'a.py',
      'class A:\n    def __init__(self, a):\n        b, c = f(a)\n        self.a = g(a)\n        self.b = g(b)\n',
      'class A:\n    def __init__(self, a):\n        self.a = g(a); self.b = None\n',
    ],
    [
      'a.rb',
      'class A\n  def initialize(a)\n    b = f(a)\n    @b = b\n  end\nend\n',
      'class A\n  def initialize(a)\n    @b = nil\n  end\nend\n',
    ],
  ])('keeps no field that needs a variable which is gone: %s %s', async (path, before, after) => {
    expect(emptied(await readSource(path, before), 'all')).toBe(after)
  })

  it('empties all that a factory makes when its own lines changed', async () => {
    const source = await readSource(
      'a.js',
      'function make() {\n  let n = 1\n  return {\n    get: () => n + 1,\n  }\n}\n',
    )
    expect(emptied(source, new Set([2]))).toContain('get: () => 0')
  })
})

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  .map((path) => `src/${path}`)
  .toSorted()

describe('what is left', () => {
  it('parses again, whatever lines of whatever file of this repository changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.array(fc.nat(400), { maxLength: 6 }), async (path, lines) => {
        const source = await readSource(path, readFileSync(path, 'utf8'))
        for (const of of ['all' as const, new Set(lines)]) {
          const made = emptied(source, of)
          if (made !== null) expect(await tryToRead(path, made)).not.toBeNull()
        }
      }),
      { numRuns: 60 },
    )
  })

  it('parses again in every language, with any of the cases together', async () => {
    const all = [...scripts, ...others].filter(([, path]) => !path.endsWith('.go'))
    await fc.assert(
      fc.asyncProperty(fc.subarray(all, { minLength: 1, maxLength: 8 }), async (some) => {
        for (const [ending, same] of Map.groupBy(some, ([, path]) => path)) {
          const text = same.map(([, , before]) => before).join('\n')
          const source = await tryToRead(ending, text)
          const made = source === null ? null : emptied(source, 'all')
          if (made !== null) expect(await tryToRead(ending, made)).not.toBeNull()
        }
      }),
      { numRuns: 60 },
    )
  })
})
