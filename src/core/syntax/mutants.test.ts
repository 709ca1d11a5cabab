import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSource, tryToRead } from '../../../test/rig/read-source.ts'
import { mutants } from './mutants.ts'

type Case = readonly [path: string, text: string, what: readonly string[]]

const cases: readonly Case[] = [
  ['a.js', 'const f = (a) => a < 10', ['`<` became `<=`', 'the number 10 became 11']],
  ['a.js', 'if (a === b) go()', ['`===` became `!==`', 'the call go(…) was dropped']],
  ['a.js', 'if (isOld(a)) {}', ['the condition was negated']],
  ['a.js', 'if (a && b) {}', ['`&&` became `||`']],
  ['a.js', 'x = a ? true : false', ['the condition was negated', '`true` became `false`', '`false` became `true`']],
  ['a.js', "f('a')", ['the call f(…) was dropped', "the string 'a' became ''"]],
  ['a.js', "const x = ''", ["the string '' became 'x'"]],
  ['a.js', 'const x = a + 1', ['`+` became `-`', 'the number 1 became 2']],
  ['a.js', "const x = a + 'b'", ["the string 'b' became ''"]],
  ['a.js', 'function f() { return `x${a}` }', ["the return value became ''", 'the string `x${a}` became ``']],
  ['a.js', "throw new Error('no')", ["the string 'no' became ''"]],
  ['a.js', "import a from 'b'\nexport { c } from 'd'\nconst e = require('f')", []],
  ['a.js', 'const x = { a: 1 }', ['the number 1 became 2']],
  ['a.ts', "type A = 1 | 'b'\ninterface B { c: 2 }\nconst d: 3 = 4", ['the number 4 became 5']],
  ['a.ts', "@D('x')\nclass A { @E(1) f = 2 }", ['the number 2 became 3']],
  ['a.ts', 'if (import.meta.vitest) {\n  expect(1 < 2)\n}', []],
  [
    'a.py',
    'def f(a):\n    """x"""\n    return a <= 3 and not b\n',
    ['`<=` became `<`', '`and` became `or`', 'the number 3 became 4'],
  ],
  ['a.py', 'if a:\n    go()\n', ['the condition was negated', 'the call go(…) was dropped']],
  ['a.py', 'if __name__ == "__main__":\n    go(1)\n', []],
  ['a.py', 'x = True\n', ['`True` became `False`']],
  ['a.go', 'package a\n\nfunc F(a int) bool { return a != 1 }\n', ['`!=` became `==`', 'the number 1 became 2']],
  ['a.rs', '#[x(1)]\nfn f(a: u8) -> bool { a >= 10u8 }', ['`>=` became `>`', 'the number 10u8 became 11u8']],
  ['a.rs', 'fn f(a: [u8; 3]) { g(); }', ['the call g(…) was dropped']],
  ['a.rs', '#[cfg(test)]\nmod t {\n  fn f() -> bool { 1 < 2 }\n}', []],
  ['A.java', 'class A { boolean f(int a) { return a > 1; } }', ['`>` became `>=`', 'the number 1 became 2']],
  [
    'A.java',
    'class A { void f() { if (ok()) go("x"); } }',
    ['the condition was negated', 'the call go(…) was dropped', 'the string "x" became ""'],
  ],
  [
    'a.rb',
    'def f(a)\n  return a if a < 1\n  go\n  audit(a)\n  true\nend\n',
    ['`<` became `<=`', '`true` became `false`', 'the call audit(…) was dropped', 'the number 1 became 2'],
  ],
  [
    'a.c',
    '#include "x.h"\nint f(int a) { g(a); return a == 2; }',
    ['`==` became `!=`', 'the number 2 became 3', 'the call g(…) was dropped'],
  ],
]

describe('mutants', () => {
  it.each(cases)('%s %s', async (path, text, what) => {
    const made = mutants(await readSource(path, text), 'all', 9)
    expect(made.map((one) => one.what).toSorted()).toEqual(what.toSorted())
    for (const one of made) {
      expect(one.text).not.toBe(text)
      expect(await tryToRead(path, one.text)).not.toBeNull()
    }
  })

  it('are spread over the lines, and what decides something comes first', async () => {
    const text = "log('x')\nif (a < 1 && b > 2) go()\nlet c = 3\nthrow new Error('y')\n"
    const made = mutants(await readSource('a.js', text), 'all', 5)
    expect(made.map(({ line, what }) => [line, what])).toEqual([
      [2, '`<` became `<=`'],
      [3, 'the number 3 became 4'],
      [1, 'the call log(…) was dropped'],
      [4, "the string 'y' became ''"],
      [2, '`>` became `>=`'],
    ])
  })

  it('stay on the lines that are asked for', async () => {
    const source = await readSource('a.js', 'let a = 1\nlet b = 2\nlet c = 3\n')
    expect(mutants(source, new Set([2]), 5)).toEqual([
      { line: 2, what: 'the number 2 became 3', text: 'let a = 1\nlet b = 3\nlet c = 3\n' },
    ])
  })

  it('parse again, for any file of this repository', async () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
      .map((path) => `src/${path}`)
      .toSorted()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(20), async (path, skipped) => {
        const source = await readSource(path, readFileSync(path, 'utf8'))
        for (const { text, what } of mutants(source, 'all', skipped + 6).slice(skipped))
          expect([what, (await tryToRead(path, text)) === null]).toEqual([what, false])
      }),
      { numRuns: 30 },
    )
  })
})
