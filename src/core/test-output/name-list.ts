// The names that one reader found, within bounds.
import type { NameSink } from './runner-reader.ts'
import type { NamedOutcome, TestNames } from './test-names.ts'

/** More names are not kept: then only the number is known. */
const NAMES_MAX = 50_000
const NAME_LENGTH_MAX = 400

export interface NameList extends NameSink {
  found(): FoundNames
}

interface FoundNames extends TestNames {
  /** Also those that were not kept. */
  readonly total: number
  readonly groups: number
}

export function startNames(prefix: string): NameList {
  const names: Record<NamedOutcome, string[]> = { passed: [], failed: [], skipped: [] }
  let total = 0
  let groups = 0
  return {
    test: (outcome, name) => {
      total += 1
      if (total <= NAMES_MAX) names[outcome].push(`${prefix}${name}`.slice(0, NAME_LENGTH_MAX))
    },
    group: () => {
      groups += 1
    },
    found: () => ({ ...names, total, groups }),
  }
}

/** Null unless the names of the tests that ran are as many as the runner counted; it need not name the skipped ones. */
export function agreedNames(lists: readonly NameList[], run: number): TestNames | null {
  const found = lists.map((list) => list.found())
  const sum = (key: 'total' | 'groups'): number => found.reduce((all, one) => all + one[key], 0)
  const all = (outcome: NamedOutcome): string[] => found.flatMap((one) => one[outcome])
  if (sum('total') > NAMES_MAX) return null
  const names = { passed: all('passed'), failed: all('failed'), skipped: all('skipped') }
  const named = names.passed.length + names.failed.length
  return run > 0 && named <= run && run <= named + sum('groups') ? names : null
}
