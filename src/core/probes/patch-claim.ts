// What a patch changes, what it claims, and what of it needs no probe.
import { type CheckRun, testsRun } from '../evidence/evidence.ts'
import type { PatchKind } from '../evidence/probe-report.ts'
import { matches } from '../findings/patch-findings.ts'
import { asksForWords, speaksOfWords } from '../findings/requested-edits.ts'
import { asksForTests, claimOf, type TaskClaim } from '../task/claim.ts'
import type { Task } from '../task/task.ts'
import { isSameCode } from '../syntax/same-code.ts'
import { type ChangedFile, classOf, isDocument } from './changed-file.ts'

/** The most that any of its files is. */
export function patchKind(files: readonly ChangedFile[]): PatchKind {
  const classes = new Set(files.map((file) => classOf(file, isSameCode)))
  if (classes.size === 0) return 'nothing'
  if (classes.has('code')) return 'code'
  if (classes.has('data')) return 'data'
  if (classes.has('test')) return 'tests'
  return classes.has('generated') ? 'generated' : 'inert'
}

/**
 * The operator's own words: a title that asks for words or for tests claims no behaviour where the patch brings only
 * those.
 */
export function claimFor(task: Task, kind: PatchKind, files: readonly ChangedFile[]): TaskClaim['claim'] {
  const { claim, from } = claimOf(task)
  if (claim === 'none' || (kind === 'inert' && asksForWords(task))) return 'none'
  const paths = files.map(({ path }) => path)
  if (kind === 'inert' && from === 'default' && paths.every(isDocument) && speaksOfWords(task, paths)) return 'none'
  return kind === 'tests' && asksForTests(task) ? 'none' : claim
}

/** The task sets something up or documents it, and no test runs yet: the files that it names are what it claims. */
export function makesFiles(task: Task, runs: readonly CheckRun[]): boolean {
  const { type, filesExpected } = task
  const isOfFiles = (type === 'setup' || type === 'docs') && claimOf(task).claim === 'none'
  return isOfFiles && filesExpected.length > 0 && testsRun(runs) === 0
}

/** The patterns, where each changed file matches one of them. */
export function acceptedBy(files: readonly ChangedFile[], accept: readonly string[]): string[] {
  if (files.length === 0 || accept.length === 0) return []
  const used = files.map(({ path }) => accept.find((pattern) => matches(path, pattern)))
  return used.every((pattern) => pattern !== undefined) ? [...new Set(used)] : []
}
