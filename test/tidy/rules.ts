import { childProcess } from './rules/child-process.ts'
import { corePurity } from './rules/core-purity.ts'
import { exportsRule } from './rules/exports.ts'
import { gitCalls } from './rules/git-calls.ts'
import { importArrows } from './rules/import-arrows.ts'
import { fileLength, functionLength, lengthsTogether } from './rules/length.ts'
import { names } from './rules/names.ts'
import { text } from './rules/text.ts'
import { booleanParameters, typeEscapes } from './rules/typing.ts'
import type { Rule } from './source.ts'

export const rules = {
  'arrows of imports': importArrows,
  'child_process in src/process only': childProcess,
  'git through two doors only': gitCalls,
  'a pure core': corePurity,
  'named exports, no barrels': exportsRule,
  'length of files': fileLength,
  'length of functions': functionLength,
  'median and 90th percentile of file lengths': lengthsTogether,
  'names of files': names,
  'no way around the types': typeEscapes,
  'no boolean parameters': booleanParameters,
  'comments about the code as it is': text,
} as const satisfies Record<string, Rule>
