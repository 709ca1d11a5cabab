import { childProcess } from './rules/child-process.ts'
import { corePurity } from './rules/core-purity.ts'
import { exportsRule } from './rules/exports.ts'
import { folderCircles } from './rules/folder-circles.ts'
import { gitCalls } from './rules/git-calls.ts'
import { importArrows } from './rules/import-arrows.ts'
import { fileLength, folderSize, functionLength } from './rules/length.ts'
import { moduleState } from './rules/module-state.ts'
import { names } from './rules/names.ts'
import { text } from './rules/text.ts'
import { booleanParameters, typeEscapes } from './rules/typing.ts'
import type { Rule } from './source.ts'

export const rules = {
  'arrows of imports': importArrows,
  'child_process in src/system only': childProcess,
  'git through two doors only': gitCalls,
  'a pure core': corePurity,
  'named exports, no barrels': exportsRule,
  'length of files': fileLength,
  'length of functions': functionLength,
  'files of a folder': folderSize,
  'no circles between folders': folderCircles,
  'no state at module level': moduleState,
  'names of files': names,
  'no way around the types': typeEscapes,
  'no boolean parameters': booleanParameters,
  'comments about the code as it is': text,
} as const satisfies Record<string, Rule>
