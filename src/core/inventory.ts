// No test disappears silently: what passed on the base must pass on the candidate, by name where the runner names its
// tests, else by number. A test that is gone, renamed or skipped is a finding, for a reviewer or a person to clear.
import type { CheckRun } from './evidence.ts'
import type { Finding } from './finding.ts'
import { missedTests } from './test-names.ts'

const NAMES_SHOWN_MAX = 5

export function inventoryFindings(baseline: readonly CheckRun[], runs: readonly CheckRun[]): Finding[] {
  return runs.flatMap((run) => {
    const before = baseline.find(({ checkHash }) => checkHash === run.checkHash)
    return before === undefined ? [] : compared(before, run)
  })
}

function compared(before: CheckRun, now: CheckRun): Finding[] {
  if (before.names !== null && now.names !== null) {
    const { gone, skipped } = missedTests(before.names, now.names)
    return [
      ...(gone.length === 0 ? [] : [found('testGone', `${now.name}: ${told(gone)} passed before and did not run now`)]),
      ...(skipped.length === 0
        ? []
        : [found('testSkipped', `${now.name}: ${told(skipped)} passed before and ${are(skipped)} skipped now`)]),
    ]
  }
  const ranBefore = before.tests?.run ?? 0
  const ranNow = now.tests?.run ?? 0
  const skippedMore = (now.tests?.skipped ?? 0) - (before.tests?.skipped ?? 0)
  return [
    ...(ranNow < ranBefore ? [found('testGone', `${now.name}: ${ranBefore} tests ran before and ${ranNow} now`)] : []),
    ...(ranBefore > 0 && skippedMore > 0
      ? [
          found(
            'testSkipped',
            `${now.name}: ${skippedMore} more ${skippedMore === 1 ? 'test is' : 'tests are'} skipped than before`,
          ),
        ]
      : []),
    ...(before.names !== null && ranNow > 0
      ? [found('inventoryUnknown', `${now.name}: its tests could be named before and cannot be now`)]
      : []),
  ]
}

function found(rule: Finding['rule'], what: string): Finding {
  return { rule, path: '.', line: null, what }
}

function told(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).map((name) => `'${name}'`)
  const rest = names.length - shown.length
  const more = rest === 0 ? [] : [`${rest} more`]
  const all = [...shown, ...more]
  return all.length === 1 ? `the test ${all[0]}` : `the tests ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

function are(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are'
}

/** What a reader of the evidence should know of checks that ran tests without naming them. */
export function inventoryNotes(runs: readonly CheckRun[]): string[] {
  return runs
    .filter(({ tests, names }) => names === null && (tests?.run ?? 0) > 0)
    .map(({ name }) => `${name}: the runner does not name its tests, so only their number was compared`)
}
