import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindOf, sabotage } from './sabotage.ts'

describe('what a file is', () => {
  it.each([
    [
      'code',
      [
        'src/sum.ts',
        'lib/a.mjs',
        'app.py',
        'src/lib.rs',
        'main.go',
        'cmd/x/main.go',
        'App.vue',
        'index.php',
        'db/1.sql',
        'bin/run.sh',
        'index.html',
        'src/contest.py',
        'latest.js',
        'src/attestation.go',
        'build.rs',
      ],
    ],
    [
      'test',
      [
        'src/sum.test.ts',
        'sum.spec.js',
        'test_sum.py',
        'sum_test.go',
        'tests/it.rs',
        'conftest.py',
        'test.js',
        '__tests__/a.tsx',
        'spec/sum_spec.rb',
        'e2e/login.ts',
        'src/SumTest.java',
        'SumTests.cs',
        'a/__snapshots__/a.test.ts.snap',
        'test/fixtures/broken.js',
      ],
    ],
    [
      'config',
      [
        'package.json',
        'tsconfig.json',
        'vitest.config.ts',
        'eslint.config.mjs',
        '.eslintrc.cjs',
        'setup.py',
        'pyproject.toml',
        'Makefile',
        'Dockerfile',
        '.github/workflows/ci.yml',
        'go.mod',
        'Cargo.toml',
        'build.gradle.kts',
      ],
    ],
    [
      'other',
      [
        'README.md',
        'docs/a.md',
        'LICENSE',
        'package-lock.json',
        'yarn.lock',
        'Cargo.lock',
        'go.sum',
        'pnpm-lock.yaml',
        'logo.png',
        'types/a.d.ts',
        'node_modules/x/index.js',
        'vendor/x/x.go',
        'dist/app.js',
        'tests/data.bin',
      ],
    ],
  ] as const)('%s', (kind, paths) => {
    expect(paths.map((path) => [path, kindOf(path)])).toEqual(paths.map((path) => [path, kind]))
  })
})

describe('what is broken', () => {
  it.each([
    ['the code, never its tests', ['src/a.ts', 'src/a.test.ts', 'package.json', 'README.md'], ['src/a.ts']],
    ['the tests, where a change has no code', ['src/a.test.ts', 'package.json'], ['src/a.test.ts']],
    [
      'the configuration, where it has nothing else',
      ['package.json', 'README.md', 'package-lock.json'],
      ['package.json'],
    ],
    ['nothing, where it only has words', ['README.md', 'docs/guide.md'], []],
    ['nothing of nothing', [], []],
  ])('%s', (_, changed, broken) => {
    expect([...sabotage(changed).keys()]).toEqual(broken)
  })

  it('becomes code in languages where text is output', () => {
    expect(Object.fromEntries(sabotage(['a.ts', 'b.php', 'C.vue']))).toEqual({
      'a.ts': '} ] ) broken on purpose, to see whether the checks notice\n',
      'b.php': '<?php } ] ) broken on purpose, to see whether the checks notice\n',
      'C.vue': '<script>} ] ) broken on purpose, to see whether the checks notice</script>\n<template><<</template>\n',
    })
  })

  it('is always among the changed files, and of one kind', () => {
    const paths: fc.Arbitrary<string[]> = fc.array(
      fc.constantFrom('a.ts', 'a.test.ts', 'a.json', 'a.md', 'test/b.py', 'c.rs', 'yarn.lock', ''),
    )
    fc.assert(
      fc.property(paths, (changed) => {
        const broken = [...sabotage(changed).keys()]
        expect(broken.every((path) => changed.includes(path))).toBe(true)
        expect(new Set(broken.map(kindOf)).size).toBeLessThanOrEqual(1)
        expect(broken.length > 0).toBe(changed.some((path) => kindOf(path) !== 'other'))
      }),
    )
  })
})
