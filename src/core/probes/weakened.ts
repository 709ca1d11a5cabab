// A test of the task itself that was red in an earlier attempt and is gone or changed now proves nothing: the agent may
// have bent the test instead of the code. It is named to the reviewer, and is no witness.
import type { Evidence } from '../evidence/evidence.ts'
import type { Source } from '../syntax/syntax-tree.ts'
import { testCases } from '../syntax/test-cases.ts'
import { isTitleOf } from '../test-output/test-names.ts'

export interface RedTests {
  readonly tree: Evidence['tree']
  readonly names: readonly string[]
}

/** The newest ones are enough: each attempt starts on the tree of the one before. */
const EARLIER_MAX = 3

/** Tests that failed in earlier attempts of a task, newest first. */
export function redTests(earlier: readonly Evidence[], tree: Evidence['tree']): RedTests[] {
  return earlier
    .filter((evidence) => evidence.verdict === 'red' && evidence.tree !== tree)
    .map((evidence) => ({ tree: evidence.tree, names: failedNames(evidence) }))
    .filter(({ names }) => names.length > 0)
    .slice(-EARLIER_MAX)
    .toReversed()
}

function failedNames({ checks }: Evidence): string[] {
  return [...new Set(checks.flatMap(({ kind, names }) => (kind === 'check' ? (names?.failed ?? []) : [])))]
}

/** Of the tests that were red, those whose body is another now, or nowhere. */
export function weakenedTests(red: readonly string[], before: readonly Source[], now: readonly Source[]): string[] {
  const [then, current] = [before, now].map((sources) => sources.flatMap((source) => testCases(source)))
  return red.filter((name) => {
    const old = then?.find(({ title }) => isTitleOf(title, name))
    return old !== undefined && current?.some(({ body }) => body === old.body) !== true
  })
}
