// What the syntax of new code and new tests reveals, whatever the checks say.
import type { Finding } from '../fact/finding.ts'
import { withConstants } from '../syntax/constant-text.ts'
import { pretences } from '../syntax/pretences.ts'
import { stubs } from '../syntax/stubs.ts'
import type { Source } from '../syntax/syntax-tree.ts'
import { testCases } from '../syntax/test-cases.ts'
import { testQuality } from '../syntax/test-quality.ts'
import { readsOfSource, replacedUnits } from '../syntax/test-quality/replaced.ts'
import { asksWhetherUnderTest } from '../syntax/under-test.ts'
import { type ChangedFile, isOfTests } from './changed-file.ts'
import { isTitleOf } from '../test-output/test-names.ts'
import { visibleValues } from './visible-values.ts'

/** Code that behaves only under test, code that is not written yet, code that knows the answers of its tests. */
export function codeFindings(files: readonly ChangedFile[]): Finding[] {
  const tests = files.filter(({ path }) => isOfTests(path))
  return files
    .filter(({ path }) => !isOfTests(path))
    .flatMap(({ path, base, now, lines, change }) => {
      if (now === null) return []
      const known = visibleValues(now, change === 'added' ? 'all' : lines, tests)
      return [
        ...asksWhetherUnderTest(now, base).map((found) => ({ rule: 'underTest', path, ...found }) as const),
        ...pretences(now, base).map((found) => ({ rule: 'pretence', path, ...found }) as const),
        ...stubs(now, base).map((found) => ({ rule: 'stub', path, ...found }) as const),
        ...(known === null ? [] : [{ rule: 'visibleValues', path, ...known } as const]),
      ]
    })
}

export interface WeakTest {
  readonly path: string
  readonly line: number
  readonly what: string
  /** Null: it stands beside the tests, and concerns all of its file. */
  readonly title: string | null
  /** It sees something else than the code that it is to test, so that its failure says nothing about that. */
  readonly looksElsewhere: boolean
}

/** New tests that prove less than they seem to; what the base has is none. */
export function weakTests(files: readonly ChangedFile[]): WeakTest[] {
  const changed = files.filter(({ path }) => !isOfTests(path)).map(({ path }) => path)
  return files.flatMap(({ path, base, now }) => {
    if (now === null || (!isOfTests(path) && testCases(now).length === 0)) return []
    const known = new Set(base === null ? [] : testQuality(base, changed).map(({ test, what }) => `${test} ${what}`))
    return testQuality(now, changed)
      .filter(({ test, what }) => !known.has(`${test} ${what}`))
      .map(({ line, what, test }) => ({ path, line, what, title: test, looksElsewhere: elsewhere(now, changed, line) }))
  })
}

function elsewhere(source: Source, changed: readonly string[], line: number): boolean {
  const indexed = withConstants(source)
  return [...replacedUnits(indexed, changed), ...readsOfSource(indexed, changed)].some((found) => found.line === line)
}

/**
 * The names among those of a run that are no witness: tests that replace the code, or read it as text. A test that only
 * seems to assert nothing is one where it fails by its own name.
 */
export function weakNames(
  weak: readonly WeakTest[],
  files: readonly ChangedFile[],
  names: readonly string[],
): string[] {
  const titles = weak
    .filter(({ looksElsewhere }) => looksElsewhere)
    .flatMap(({ path, title }) => (title === null ? titlesIn(files, path) : [title]))
  return names.filter((name) => titles.some((title) => isTitleOf(title, name)))
}

function titlesIn(files: readonly ChangedFile[], path: string): string[] {
  const source: Source | null = files.find((file) => file.path === path)?.now ?? null
  return source === null ? [] : testCases(source).map(({ title }) => title)
}

/** `test/a.test.js:3: 'parses' has no assertion` */
export function weakText({ path, line, what, title }: WeakTest): string {
  return `${path}:${line}: ${title === null ? 'beside the tests, the file' : `'${title}'`} ${what}`
}
