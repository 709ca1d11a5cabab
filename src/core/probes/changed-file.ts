// A changed file as the probes see it: its texts before and after, its syntax where a grammar reads it, and the lines
// that the patch touched.
import type { Change } from '../findings/patch-findings.ts'
import { isInTestFolder, isLockfile, kindOf } from '../findings/file-kind.ts'
import type { PatchedFile } from '../patch/patch.ts'
import type { Source } from '../syntax/syntax-tree.ts'
import { changesTestsAlone } from './with-tests-of.ts'

export interface ChangedFile extends Change {
  /** Null: the file did not exist, is too long, or is no text. */
  readonly baseText: string | null
  readonly text: string | null
  /** Null: no grammar reads it. */
  readonly base: Source | null
  readonly now: Source | null
  /** The lines of the new file that the patch touched. */
  readonly lines: ReadonlySet<number>
}

/** Where lines were only removed, the line that follows them stands for them. */
export function touchedLines(patched: PatchedFile | undefined): ReadonlySet<number> {
  const lines = (patched?.blocks ?? []).flatMap(({ added, at }) =>
    added.length > 0 ? added.map(({ number }) => number) : [Math.max(1, at - 1), at],
  )
  return new Set(lines)
}

const documents =
  /(?:^|\/)(?:docs?|documentation|man)\/.*\.(?:md|mdx|txt|rst|adoc|html?|png|jpe?g|gif|svg|webp|pdf)$|\.(?:md|markdown|mdx|rst|adoc|asciidoc|txt|png|jpe?g|gif|webp|ico|pdf)$|(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|HISTORY|README|TODO|CODEOWNERS|\.gitignore|\.editorconfig|\.mailmap)(?:\.[a-z]+)?$/i

/** Nothing runs it. A text file that tests or the program read is data, wherever it stands. */
export function isDocument(path: string): boolean {
  return documents.test(path) && !/(?:^|\/)(?:requirements[^/]*|constraints|CMakeLists)\.txt$/i.test(path)
}

/** What judges: tests, and everything in their folders. */
export function isOfTests(path: string): boolean {
  return kindOf(path) === 'test' || isInTestFolder(path)
}

const styles = /\.(?:css|scss|sass|less|styl|html?|svg|sql)$/i

export type FileClass = 'code' | 'data' | 'document' | 'test' | 'generated' | 'inert'

export function classOf(file: ChangedFile, isSameCode: (base: Source, now: Source) => boolean): FileClass {
  const { path } = file
  if (isOfTests(path)) return 'test'
  if (isDocument(path)) return 'document'
  if (isGenerated(file)) return 'generated'
  if (kindOf(path) !== 'code' || styles.test(path)) return 'data'
  if (changesTestsAlone(file.base, file.now)) return 'test'
  return file.base !== null && file.now !== null && isSameCode(file.base, file.now) ? 'inert' : 'code'
}

const generatedMark =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bautomatically generated\b|\bauto-?generated\b.*\bdo not (?:edit|modify)\b|\bthis file (?:is|was) generated\b/i
const HEAD_LINES = 10

/** Only what the base calls generated: a new file that calls itself so is code. */
function isGenerated({ path, baseText }: ChangedFile): boolean {
  if (isLockfile(path.slice(path.lastIndexOf('/') + 1))) return true
  if (baseText !== null && /\.generated\.\w+$|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.py$|\.g\.(?:dart|cs)$/.test(path))
    return true
  return baseText !== null && generatedMark.test(baseText.split('\n', HEAD_LINES).join('\n'))
}
