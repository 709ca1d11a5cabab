// What a patch does to tests, by their syntax: which are new, which changed, which only moved or got another name.
import { isSameCode } from '../syntax/same-code.ts'
import type { Source } from '../syntax/syntax-tree.ts'
import { type TestCase, testCases } from '../syntax/test-cases.ts'
import type { ChangedFile } from './changed-file.ts'

export interface TestChanges {
  /** Titles that the patch kept and whose bodies it changed. */
  readonly changedTitles: readonly string[]
  /** For a title of the base: the titles that tests with the same body have now. */
  readonly moved: ReadonlyMap<string, readonly string[]>
  /** Whether every changed test file has the same tests as before, in whatever place and under whatever names. */
  readonly isSameTests: boolean
}

export function testChanges(files: readonly ChangedFile[]): TestChanges {
  const before = files.flatMap(({ base }) => casesOf(base))
  const now = files.flatMap(({ now: source }) => casesOf(source))
  const bodiesBefore = new Map(before.map(({ title, body }) => [title, body]))
  const changed = now.filter(({ title, body }) => bodiesBefore.has(title) && bodiesBefore.get(title) !== body)
  const moved = new Map(
    before.map(({ title, body }) => [title, now.filter((one) => one.body === body).map((one) => one.title)]),
  )
  const isRead = files.every(({ base, now: source, change }) => isReadable(base, source, change))
  const isSame = before.length === now.length && before.every(({ title }) => (moved.get(title) ?? []).length > 0)
  return {
    changedTitles: changed.map(({ title }) => title),
    moved,
    isSameTests: isRead && isSame && before.length > 0,
  }
}

function isReadable(base: Source | null, now: Source | null, change: ChangedFile['change']): boolean {
  return (base !== null || change === 'added' || change === 'renamed') && (now !== null || change === 'deleted')
}

function casesOf(source: Source | null): readonly TestCase[] {
  return source === null ? [] : testCases(source)
}

/** Whether the code around the tests, helpers and hooks, is as before too. */
export function isSameTestFile({ base, now }: Pick<ChangedFile, 'base' | 'now'>): boolean {
  return base !== null && now !== null && isSameCode(base, now)
}
