import { describe, expect, it } from 'vitest'
import { findings, matches } from './guard.ts'

describe('matches', () => {
  it.each([
    ['ralph.toml', 'ralph.toml', true],
    ['sub/ralph.toml', 'ralph.toml', false],
    ['ralphxtoml', 'ralph.toml', false],
    ['.github/workflows/ci.yml', '.github/**', true],
    ['.githubx/ci.yml', '.github/**', false],
    ['src/a.ts', 'src/*.ts', true],
    ['src/deep/a.ts', 'src/*.ts', false],
    ['src/deep/a.ts', 'src/**/*.ts', true],
    ['src/a.ts', 'src/**/*.ts', true],
    ['a/b/secret.pem', '**/*.pem', true],
    ['secret.pem', '**/*.pem', true],
    ['ab.txt', '??.txt', true],
    ['a/b.txt', '???.txt', false],
    ['weird(name)+.txt', 'weird(name)+.txt', true],
    ['line\nbreak/.env', '**/.env', true],
  ])('%j by %j: %s', (path, pattern, expected) => {
    expect(matches(path, pattern)).toBe(expected)
  })
})

describe('findings', () => {
  const guarded = { protect: { paths: ['ralph.toml', '.github/**'] }, limits: { filesPerPatch: 2 } }
  const files = (...paths: string[]) => paths.map((path) => ({ path }))

  it.each([
    ['nothing unusual', files('a.ts', 'b.ts'), []],
    ['a protected path', files('ralph.toml'), [{ path: 'ralph.toml', what: 'a protected path was touched' }]],
    ['many files', files('a', 'b', 'c'), [{ path: '.', what: '3 files changed; more than 2 is unusual' }]],
  ])('%s', (_, changed, expected) => {
    expect(findings(changed, guarded)).toEqual(expected)
  })
})
