import { describe, expect, it } from 'vitest'
import { matchesPattern, unmetFiles } from './expected-files.ts'

describe('a pattern', () => {
  it.each<[pattern: string, path: string, matches: boolean]>([
    ['docs/**', 'docs/a.md', true],
    ['docs/**', 'docs/deep/er/a.md', true],
    ['docs/**', 'docs', false],
    ['docs/**', 'src/docs/a.md', false],
    ['**/*.md', 'README.md', true],
    ['**/*.md', 'docs/deep/a.md', true],
    ['**/*.md', 'docs/a.mdx', false],
    ['src/**/x.ts', 'src/x.ts', true],
    ['src/**/x.ts', 'src/a/b/x.ts', true],
    ['src/**/x.ts', 'src/ax.ts', false],
    ['*.md', 'README.md', true],
    ['*.md', 'docs/a.md', false],
    ['docs/?.md', 'docs/a.md', true],
    ['docs/?.md', 'docs/ab.md', false],
    ['src/*.{js,ts}', 'src/a.ts', true],
    ['src/*.{js,ts}', 'src/a.css', false],
    ['{docs/{a,b},src}/*.md', 'docs/b/x.md', true],
    ['app/[id]/*.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]/*.tsx', 'app/i/page.tsx', false],
    ['a+b(c)/*', 'a+b(c)/x', true],
    ['a,b*', 'a,bc', true],
    ['odd{*', 'oddity', true],
    ['odd}*', 'odd}x', true],
    ['line*', 'line\nbreak', true],
  ])('%s and %s', (pattern, path, matches) => {
    expect(matchesPattern(path, pattern)).toBe(matches)
  })
})

describe('unmet files', () => {
  const tree = ['README.md', 'docs/old.md', 'app/[id]/page.tsx', 'what?.txt']
  const unmet = (expected: string[], changed: string[]) => unmetFiles(expected, (path) => tree.includes(path), changed)

  it.each<[name: string, expected: string[], changed: string[], unmet: string[]]>([
    ['nothing is expected', [], [], []],
    ['a path must be in the tree, changed or not', ['README.md', 'nope.md'], [], ['nope.md']],
    ['a path with brackets is a path', ['app/[id]/page.tsx', 'app/[x]/y.ts'], ['app/x/y.ts'], ['app/[x]/y.ts']],
    ['a pattern needs a change', ['docs/**'], ['src/a.ts'], ['a changed file that matches docs/**']],
    ['a pattern that a change matches', ['docs/**', '*.md'], ['docs/new.md', 'README.md'], []],
    ['a file whose name looks like a pattern', ['what?.txt'], [], []],
    ['braces without a choice are a path', ['a{b}.md'], ['ab.md'], ['a{b}.md']],
  ])('%s', (_, expected, changed, missing) => {
    expect(unmet(expected, changed)).toEqual(missing)
  })
})
