// What a patch changes, by its files.
import { isSameCode } from '../syntax/same-code.ts'
import { type ChangedFile, classOf } from './changed-file.ts'
import type { PatchKind } from '../evidence/probe-report.ts'

/** The most that any of its files is. */
export function patchKind(files: readonly ChangedFile[]): PatchKind {
  const classes = new Set(files.map((file) => classOf(file, isSameCode)))
  if (classes.size === 0) return 'nothing'
  if (classes.has('code')) return 'code'
  if (classes.has('data')) return 'data'
  if (classes.has('test')) return 'tests'
  return classes.has('generated') ? 'generated' : 'inert'
}
