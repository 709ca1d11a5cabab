import { describe, expect, it } from 'vitest'
import type { Cases } from './cases.ts'
import { childProcessCases } from './cases/child-process.ts'
import { corePurityCases } from './cases/core-purity.ts'
import { exportsCases } from './cases/exports.ts'
import { folderCirclesCases } from './cases/folder-circles.ts'
import { gitCallsCases } from './cases/git-calls.ts'
import { importArrowsCases } from './cases/import-arrows.ts'
import { fileLengthCases, folderSizeCases, functionLengthCases } from './cases/length.ts'
import { moduleStateCases } from './cases/module-state.ts'
import { namesCases } from './cases/names.ts'
import { textCases } from './cases/text.ts'
import { booleanParametersCases, typeEscapesCases } from './cases/typing.ts'
import { rules } from './rules.ts'
import { type Rule, type SourceFile, sourceFile } from './source.ts'
import { readTree } from './tree.ts'

// A rule that was never seen to fail holds nothing: every rule has its planted violations.
const cases: Record<keyof typeof rules, Cases> = {
  'arrows of imports': importArrowsCases,
  'child_process in src/system only': childProcessCases,
  'git through two doors only': gitCallsCases,
  'a pure core': corePurityCases,
  'named exports, no barrels': exportsCases,
  'length of files': fileLengthCases,
  'length of functions': functionLengthCases,
  'files of a folder': folderSizeCases,
  'no circles between folders': folderCirclesCases,
  'no state at module level': moduleStateCases,
  'names of files': namesCases,
  'no way around the types': typeEscapesCases,
  'no boolean parameters': booleanParametersCases,
  'comments about the code as it is': textCases,
}

const tree = readTree()

it('reads the tree that it is part of', () => {
  expect(tree.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'test/tidy/tidy.test.ts',
      'src/core/task/task.ts',
      'src/core/tsconfig.json',
      'bin/ralph.js',
    ]),
  )
})

describe.each(Object.entries<Rule>(rules))('%s', (name, rule) => {
  const { planted, innocent } = cases[name as keyof typeof rules]

  it('holds in this repository', () => {
    expect(found(rule, tree)).toEqual([])
  })

  it.for(planted.map(titled))('finds: $title', ({ files, found: expected }) => {
    expect(rule(sourcesOf(files)).map(({ path, line }) => `${path}:${line}`)).toEqual(expected)
  })

  it.for(innocent.map(titled))('lets be: $title', ({ files }) => {
    expect(found(rule, sourcesOf(files))).toEqual([])
  })
})

function found(rule: Rule, files: readonly SourceFile[]): string[] {
  return rule(files).map(({ path, line, sentence }) => `${path}:${line} ${sentence}`)
}

function titled<Case extends { readonly what: string }>(one: Case): Case & { readonly title: string } {
  return { ...one, title: one.what.replaceAll('\n', ' ⏎ ') }
}

function sourcesOf(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => sourceFile(path, text))
}
