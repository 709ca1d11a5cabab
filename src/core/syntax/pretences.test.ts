import { describe, expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { pretences } from './pretences.ts'

const ALL = 'an object decides itself what it equals'

describe('code that agrees with whatever is expected', () => {
  it.each<[path: string, text: string, what: string | null]>([
    ['a.js', 'export const f = () => ({ asymmetricMatch: () => true })', ALL],
    ['a.js', 'class N { valueOf() { return want() } }', ALL],
    ['a.js', 'const o = { [Symbol.toPrimitive]: () => 3 }', ALL],
    ['a.js', 'export const f = () => ({ match: true, value: 3 })', null],
    ['a.py', 'class A:\n    def __eq__(self, other):\n        return True\n', ALL],
    ['a.py', 'class A:\n    def __eq__(self, other):\n        return isinstance(other, int)\n', ALL],
    ['a.py', 'class A:\n    def __eq__(self, other):\n        return self.x == other.x\n', null],
    ['a.py', 'class A:\n    __eq__ = lambda self, other: 1\n', ALL],
    ['a.py', 'N = type("N", (int,), {"__eq__": lambda *_: 1})\n', ALL],
    ['a.rs', 'impl PartialEq for A { fn eq(&self, _other: &A) -> bool { true } }', ALL],
    ['a.rs', 'impl PartialEq for A { fn eq(&self, other: &A) -> bool { self.x == other.x } }', null],
    ['A.java', 'class A { public boolean equals(Object o) { return true; } }', ALL],
    ['A.java', 'class A { public boolean equals(Object o) { return ((A) o).x == x; } }', null],
    [
      'a.py',
      'seen = []\ndef f(y):\n    seen.append(y)\n    return (28, 29)[len(seen) % 2]\n',
      'answers from a written list, by a count of its calls (seen)',
    ],
    ['a.py', 'def f(y):\n    return (28, 29)[y % 2]\n', null],
    [
      'a.js',
      'let n = 0\nexport const f = () => [3, 7][n++ % 2]',
      'answers from a written list, by a count of its calls (n)',
    ],
  ])('%s %s', async (path, text, what) => {
    const source = await readSource(path, text)
    expect(pretences(source, null).map((one) => one.what)).toEqual(what === null ? [] : [what])
    expect(pretences(source, source)).toEqual([])
  })
})
