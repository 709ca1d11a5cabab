import { describe, expect, it } from 'vitest'
import { openSyntax } from './open-syntax.ts'

const { read } = openSyntax()

describe('reading source code', () => {
  it.each([
    ['a.js', 'const a = <p>{b?.c}</p>', 'program'],
    ['a.ts', 'const a: string = b satisfies C', 'program'],
    ['a.tsx', 'const a = <T,>(b: T) => <p>{b}</p>', 'program'],
    ['a.py', 'match a:\n    case 1: pass\n', 'module'],
    ['a.go', 'package a\n\nfunc F[T any](a T) {}\n', 'source_file'],
    ['a.rs', 'fn f<T>(a: T) -> impl Fn() { move || () }', 'source_file'],
    ['A.java', 'record A(int b) {}', 'program'],
    ['a.rb', 'def f(a) = a&.b', 'program'],
    ['a.c', 'int main(void) { return 0; }', 'translation_unit'],
  ])('%s', async (path, text, root) => {
    const source = await read(path, text)
    expect(source).toMatchObject({ path, text, root: { type: root, named: true, field: null, start: 0, line: 1 } })
    expect(source?.root.end).toBe(text.length)
  })

  it('counts in UTF-16 units and lines from 1', async () => {
    const source = await read('a.js', "// 🎉\nconst a = '🎉é'\n")
    const [comment, declaration] = source?.root.children ?? []
    expect([comment, declaration].map((one) => [one?.start, one?.end, one?.line])).toEqual([
      [0, 5, 1],
      [6, 21, 2],
    ])
    const name = declaration?.children[1]?.children[0]
    expect(name).toEqual({ type: 'identifier', named: true, field: 'name', start: 12, end: 13, line: 2, children: [] })
  })

  it.each([
    ['no grammar', 'a.txt', 'x'],
    ['a syntax error', 'a.js', 'const = 1'],
    ['a missing bracket', 'a.js', 'f('],
    ['a conflict', 'a.py', '<<<<<<< a\nx = 1\n=======\nx = 2\n>>>>>>> b\n'],
    ['another language', 'a.go', 'fn main() {}'],
    ['too long', 'a.js', `x = '${'a'.repeat(512 * 1024)}'`],
    ['too deep', 'a.js', `x = ${'('.repeat(2_000)}1${')'.repeat(2_000)}`],
    ['a sum without end', 'a.js', `x = ${'1 + '.repeat(5_000)}1`],
    ['bytes of something else', 'a.c', '\u0000\u0001\uFFFD\uD800'],
  ])('is nothing for %s', async (_, path, text) => {
    expect(await read(path, text)).toBeNull()
  })

  it('goes on after a text that it could not read', async () => {
    expect(await read('a.js', 'f(')).toBeNull()
    expect(await read('a.js', 'f()')).not.toBeNull()
    expect(await read('a.js', '')).not.toBeNull()
  })
})
