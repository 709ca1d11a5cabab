import { expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { isSameCode } from './same-code.ts'

it.each<[path: string, a: string, b: string]>([
  ['a.js', 'const a = 1', '// one\nconst a = 1;\n'],
  ['a.js', "f('a', [1, 2])", 'f(\n  "a",\n  [\n    1,\n    2,\n  ],\n)'],
  ['a.js', "f('it\\'s')", 'f("it\'s")'],
  ['a.js', 'const f = x => x', 'const f = (x) => x'],
  ['a.js', 'f();;', 'f()'],
  ['a.jsx', '<p><b /></p>', '<p>\n  <b />\n</p>'],
  ['a.ts', 'function f(a) { return a }', 'function f<T>(a: T): T { return a }'],
  ['a.ts', 'const a = f(b)', 'const a = f(b as never)!'],
  ['a.ts', 'const a = 1', 'interface A { b: 1 }\ntype C = A\nconst a: C = 1'],
  ['a.ts', "import { b } from './b'", "import type { A } from './a'\nimport { b, type C } from './b'"],
  ['a.ts', 'class A { x = 1 }', 'class A implements B { private readonly x: number = 1 }'],
  ['a.ts', 'export function f(a) {}', 'export function f(a?: string): void\nexport function f(a?: unknown): void {}'],
  ['a.py', 'def f(a):\n  return "x"\n', 'def f(a):\n    """Doc."""\n    return \'x\'  # y\n'],
  ['a.py', 'f(1, 2)\n', 'f(\n    1,\n    2,\n)\n'],
  ['a.go', 'package a\nfunc F() { g(1) }', 'package a\n\n// F\nfunc F() {\n\tg(1)\n}\n'],
  ['a.rs', 'fn f() { g(1) }', '/// Doc\nfn f() {\n    g(\n        1,\n    )\n}\n'],
  ['A.java', 'class A { int f() { return 1; } }', '/** Doc */\nclass A {\n  int f() {\n    return 1;\n  }\n}\n'],
  ['a.rb', 'def f(a)\n  a\nend\n', '# Doc\ndef f(a)\n\n    a\nend\n'],
  ['a.c', 'int f(void) { return 1; }', '/* Doc */\nint f(void)\n{\n  return 1;\n}\n'],
])('the same: %s %s', async (path, a, b) => {
  expect(isSameCode(await readSource(path, a), await readSource(path, b))).toBe(true)
})

it.each<[path: string, a: string, b: string]>([
  ['a.js', 'const a = 1', 'const a = 2'],
  ['a.js', "f('a')", "f('b')"],
  ['a.js', 'a = b + c', 'a = b - c'],
  ['a.js', '[1, , ]', '[1]'],
  ['a.js', 'if (a) { b() } c()', 'if (a) { b(); c() }'],
  ['a.js', 'for (;;) a()', 'for (; ; b()) a()'],
  ['a.js', 'f(a)', 'f(a, b)'],
  ['a.js', '`a  b`', '`a b`'],
  ['a.jsx', '<p>a</p>', '<p>b</p>'],
  ['a.ts', 'class A { constructor(x: number) {} }', 'class A { constructor(private x: number) {} }'],
  ['a.ts', "import { A } from './a'", "import { B } from './a'"],
  ['a.ts', 'const a = b!', 'const a = !b'],
  ['a.ts', 'const a = b?.c', 'const a = b.c'],
  ['a.py', 'def f(a):\n  if a:\n    b()\n  c()\n', 'def f(a):\n  if a:\n    b()\n    c()\n'],
  ['a.py', 'x = (1,)\n', 'x = (1)\n'],
  ['a.py', "x = 'a'\n", "x = b'a'\n"],
  ['a.py', 'f(*a)\n', 'f(**a)\n'],
  ['a.go', 'package a\nfunc F() { g(1) }', 'package a\nfunc F() { go g(1) }'],
  ['a.rs', 'fn f() -> u8 { g(1) }', 'fn f() { g(1); }'],
  ['A.java', 'class A { int f() { return 1; } }', 'class A { long f() { return 1; } }'],
  ['a.rb', 'def f(a) = a', 'def f(a) = @a'],
  ['a.c', 'int f(void) { return 1; }', 'int f(void) { return -1; }'],
])('another: %s %s', async (path, a, b) => {
  expect(isSameCode(await readSource(path, a), await readSource(path, b))).toBe(false)
})

it('compares a file with what it was before it got types', async () => {
  const [before, after] = [
    await readSource('a.js', 'export const f = (a) => a'),
    await readSource('a.ts', 'export const f = (a: string): string => a'),
  ]
  expect(isSameCode(before, after)).toBe(true)
  expect(isSameCode(before, await readSource('a.py', 'f = 1\n'))).toBe(false)
})
