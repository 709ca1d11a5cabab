// What in a patch needs a second look, whatever the checks say. Each finding names a file and, where possible, a line,
// in a sentence for people; the reviewer or a human clears it or does not (review.ts).
import type { CheckRun } from '../evidence/evidence.ts'
import { type Finding, TEST_EDITED } from '../fact/finding.ts'
import { isLooser, looserFinding, first, onlyAddsTests, testFindings } from './test-findings.ts'
import { exitsAsSuccess, exitsEarly, isRemark, patches, pretends, silences } from './line-findings.ts'
import { type BaseTests, isManifest, manifestFindings, type Versions } from './manifest-findings.ts'
import { ruleOfPath } from './path-findings.ts'
import { secretIn } from './secret-findings.ts'
import { type PatchedFile, type PatchLine, readPatch } from '../patch/patch.ts'
import { kindOf } from './file-kind.ts'
import { asksForWords, type TaskWords } from './requested-edits.ts'
import type { TestCount } from '../test-output/read-tests.ts'

export interface GuardSettings {
  readonly protect: { readonly paths: readonly string[] }
  readonly limits: { readonly filesPerPatch: number }
}

export interface Change {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed'
  /** The old path of a renamed file. */
  readonly from?: string
}

export interface Suspect {
  readonly files: readonly Change[]
  readonly diff: string
  /** False: the diff was too long and is cut. */
  readonly isWhole: boolean
  /** Changed files for which `mustBeRead` is true, before and after. */
  readonly contents: ReadonlyMap<string, Versions>
  /** Files with the plan or the spec that the work is judged by. */
  readonly specs: readonly string[]
  readonly task: TaskWords
}

/** Nobody would read more; the first of each file are kept. */
export const FINDINGS_MAX = 200

export function mustBeRead({ path, change }: Change): boolean {
  return change !== 'deleted' && isManifest(path)
}

/** `baseline`: the checks on the base. */
export function findings(suspect: Suspect, guarded: GuardSettings, baseline: readonly CheckRun[] = []): Finding[] {
  const { files, diff, isWhole, task } = suspect
  const patched = new Map(readPatch(diff).map((file) => [file.path, file]))
  const tests = baseline.some(({ tests: counted }) => isAnyTest(counted)) ? 'tested' : 'untested'
  const found = files.flatMap((file) => fileFindings(file, patched.get(file.path) ?? null, suspect, guarded, tests))
  const whole: Finding[] = [
    ...(files.length > guarded.limits.filesPerPatch
      ? [about('manyFiles', `${files.length} files changed; more than ${guarded.limits.filesPerPatch} is unusual`)]
      : []),
    ...(files.length === 0 ? [about('nothingChanged', 'nothing was changed, and the task is said to be done')] : []),
    ...(onlyRemarks(files, patched) && !asksForWords(task)
      ? [about('nothingChanged', 'only comments were changed')]
      : []),
    ...(isWhole ? [] : [about('unreadable', 'the patch is too long to be looked at as a whole')]),
  ]
  return [...whole, ...found].slice(0, FINDINGS_MAX)
}

function isAnyTest(counted: TestCount | null): boolean {
  return counted !== null && counted.run + counted.failed + counted.skipped > 0
}

function about(rule: Finding['rule'], what: string): Finding {
  return { rule, path: '.', line: null, what }
}

function fileFindings(
  file: Change,
  patched: PatchedFile | null,
  suspect: Suspect,
  { protect }: GuardSettings,
  tests: BaseTests,
): Finding[] {
  const paths = [file.path, ...(file.from === undefined ? [] : [file.from])]
  const guardedPath = paths.find((path) => protect.paths.some((pattern) => matches(path, pattern)))
  const spec = paths.find((path) => suspect.specs.includes(path))
  const versions = suspect.contents.get(file.path)
  return [
    ...(guardedPath === undefined ? [] : [onFile('protected', guardedPath, 'a protected path was touched')]),
    ...(spec === undefined ? [] : [onFile('specEdited', spec, 'the text that the work is judged by was edited')]),
    ...pathFindings(file, paths, patched),
    ...(versions === undefined ? [] : manifestFindings(file.path, versions, tests)),
    ...(patched === null ? [] : lineFindings(file, patched)),
    ...unreadable(file, patched),
  ]
}

function onFile(rule: Finding['rule'], path: string, what: string): Finding {
  return { rule, path, line: null, what }
}

/** A new file cannot weaken anything; but what judges and steers the work is checked even then. */
function pathFindings(
  { path, change, from }: Change,
  paths: readonly string[],
  patched: PatchedFile | null,
): Finding[] {
  const judged = paths.flatMap((one) => ruleOfPath(one) ?? []).at(0)
  if (judged !== undefined) return [onFile(judged.rule, path, judged.what)]
  const isTest = paths.some((one) => kindOf(one) === 'test')
  if (!isTest || change === 'added') return []
  if (path.endsWith('.snap') && change !== 'deleted')
    return [onFile('snapshotEdited', path, 'expected output that existed before was changed')]
  if (change === 'deleted') return [onFile('testRemoved', path, 'a test file that existed before was deleted')]
  if (from !== undefined && kindOf(path) !== 'test')
    return [onFile('testRemoved', path, `the test file ${from} was renamed to something that is no test`)]
  if (from !== undefined && from !== path)
    return [
      onFile('testEdited', path, `the test file ${from} that existed before was renamed to this, or replaced by it`),
    ]
  if (patched !== null && onlyAddsTests(patched)) return []
  return [onFile('testEdited', path, TEST_EDITED)]
}

function lineFindings({ path, change }: Change, patched: PatchedFile): Finding[] {
  const kind = kindOf(path)
  const added = patched.blocks.flatMap((block) => block.added)
  const secret = first(added, (text) => secretIn(text))
  const judges = kind === 'test' || kind === 'config' || ruleOfPath(path) !== null
  const isCode = judges || kind === 'code'
  const silenced = isCode ? first(added, silences) : null
  const replaced = isCode ? first(added, patches) : null
  const pretended = isCode && kind !== 'test' ? (first(added, pretends) ?? alwaysEqual(added)) : null
  const exit = isCode ? first(added, judges ? exitsEarly : exitsAsSuccess) : null
  const looser = judges && kind !== 'test' ? patched.blocks.find(isLooser) : undefined
  return [
    ...(kind === 'test' && change !== 'deleted' ? testFindings(patched, change === 'added' ? 'new' : 'on-base') : []),
    ...(replaced === null ? [] : [{ rule: 'runnerPatched', path, ...replaced } as const]),
    ...(pretended === null ? [] : [{ rule: 'pretence', path, ...pretended } as const]),
    ...(exit === null ? [] : [{ rule: 'exitCall', path, ...exit } as const]),
    ...(silenced === null ? [] : [{ rule: 'checkerSilenced', path, ...silenced } as const]),
    ...(looser === undefined ? [] : [looserFinding(path, looser)]),
    ...(secret === null
      ? []
      : [{ rule: 'secret', path, line: secret.line, what: `it looks like ${secret.what}` } as const]),
  ]
}

/** `def __eq__(self, other):` and in the next line `return True`. */
function alwaysEqual(added: readonly PatchLine[]): { readonly line: number; readonly what: string } | null {
  const at = added.findIndex(
    ({ text }, index) =>
      /\bdef __(?:eq|ne|lt|gt)__\(/.test(text) && /^\s*return True\b/.test(added[index + 1]?.text ?? ''),
  )
  const line = added[at]?.number
  return line === undefined ? null : { line, what: 'an object pretends to equal everything' }
}

/** The task asked for work, and the patch changes no line that runs. */
function onlyRemarks(files: readonly Change[], patched: ReadonlyMap<string, PatchedFile>): boolean {
  return (
    files.length > 0 &&
    files.every(({ path, change }) => {
      const blocks = patched.get(path)?.blocks ?? []
      const lines = blocks.flatMap(({ removed, added }) => [...removed, ...added])
      const isProgram = kindOf(path) === 'code' || kindOf(path) === 'test'
      return isProgram && change === 'modified' && lines.length > 0 && lines.every(({ text }) => isRemark(text))
    })
  )
}

function unreadable({ path, change }: Change, patched: PatchedFile | null): Finding[] {
  if (patched?.isBinary !== true || change === 'deleted' || kindOf(path) === 'other') return []
  return [onFile('unreadable', path, 'git does not show its change as text, so nobody can look at it')]
}

/** `*` matches anything within the name of a folder, `**` any folders. */
export function matches(path: string, pattern: string): boolean {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/)
  const source = parts.map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    return part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${source.join('')}$`, 'su').test(path)
}
