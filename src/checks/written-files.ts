// The files of the tree that a check rewrote. The next check of the same folder sees the tree, not what this one left.
import type { CheckRun } from '../core/evidence/evidence.ts'
import { matches } from '../core/findings/patch-findings.ts'
import type { Check, CheckFolder } from './check.ts'

export async function writtenBy(
  { writes = [] }: Pick<Check, 'writes'>,
  { changedFiles, restoreFiles }: CheckFolder,
): Promise<Pick<CheckRun, 'wrote' | 'wroteAllowed'>> {
  const changed = changedFiles === undefined ? [] : await changedFiles()
  if (changed.length === 0) return {}
  const isRestored = await restored(restoreFiles, changed)
  // A check that keeps its files from being restored has no right to write to them.
  const isAllowed = (path: string): boolean => isRestored && writes.some((pattern) => matches(path, pattern))
  const allowed = changed.filter(isAllowed).toSorted()
  const wrote = changed.filter((path) => !isAllowed(path)).toSorted()
  return { ...(wrote.length > 0 ? { wrote } : {}), ...(allowed.length > 0 ? { wroteAllowed: allowed } : {}) }
}

async function restored(restoreFiles: CheckFolder['restoreFiles'], paths: readonly string[]): Promise<boolean> {
  try {
    await restoreFiles?.(paths)
    return true
  } catch {
    return false
  }
}
