import { expect, it } from 'vitest'
import { readSource } from '../../../test/rig/read-source.ts'
import { inlineTests } from './inline-tests.ts'

it.each<[path: string, text: string, ranges: readonly [number, number][]]>([
  [
    'a.rs',
    'fn f() {}\n#[cfg(test)]\n#[allow(unused)]\nmod tests {\n    #[test]\n    fn a() {}\n}\nfn g() {}\n',
    [
      [2, 7],
      [5, 6],
    ],
  ],
  ['a.rs', '#[cfg(all(test, unix))]\nuse x::y;\n#[cfg(not(test))]\nfn g() {}\n', [[1, 2]]],
  ['a.rs', '/// Adds.\n/// ```\n/// assert_eq!(f(), 1);\n/// ```\nfn f() -> u8 { 1 }\n', [[2, 4]]],
  [
    'a.ts',
    'const a = 1\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest\n}\nif (import.meta.env) {\n}\n',
    [[2, 4]],
  ],
  ['a.py', 'def f():\n    """Adds.\n\n    >>> f()\n    1\n\n    """\n    return 1\n', [[4, 5]]],
  ['a.py', 'def f():\n    """Adds."""\n    x = ">>> f()"\n', []],
  ['a.go', 'package a\n', []],
])('%s %s', async (path, text, ranges) => {
  expect(inlineTests(await readSource(path, text)).map(({ start, end }) => [start, end])).toEqual(ranges)
})
