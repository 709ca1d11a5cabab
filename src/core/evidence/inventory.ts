// No test disappears silently: every test that the base names must be green on the candidate, by name where the runner
// names its tests, else by number. A test that is gone, renamed or skipped is a finding, which a reviewer or a person
// may clear. Where the check was red on the base, a run with fewer tests than the base is no success at all.
import { type CheckRun, isGreen } from './evidence.ts'
import type { Finding } from '../fact/finding.ts'
import {
  isTitleOf,
  type MissedTest,
  missedTests,
  namedIn,
  namesNewTests,
  steadyNames,
  type TestNames,
} from '../test-output/test-names.ts'

const NAMES_SHOWN_MAX = 5

/** `moved`: for a title of the base, the titles that tests with the same body have now. `again`: second runs on the base, for checks whose names may differ from run to run (`checksToRunAgain`). */
export function inventoryFindings(
  baseline: readonly CheckRun[],
  runs: readonly CheckRun[],
  again: readonly CheckRun[] = [],
  moved: ReadonlyMap<string, readonly string[]> = new Map(),
): Finding[] {
  return runs.flatMap((run) => {
    const before = sameCheck(baseline, run)
    if (before === undefined) return []
    const names =
      before.names === null || run.names === null ? before.names : withoutMoved(before.names, run.names, moved)
    return compareRuns({ ...before, names }, run, secondNames(before, again))
  })
}

function sameCheck(runs: readonly CheckRun[], { checkHash }: CheckRun): CheckRun | undefined {
  return runs.find((run) => run.checkHash === checkHash)
}

/** Names from the same check on the same tree; a run that stopped early proves nothing about names. */
function secondNames(before: CheckRun, again: readonly CheckRun[]): TestNames | null {
  const second = sameCheck(again, before)
  return second !== undefined && (second.tests?.run ?? 0) >= (before.tests?.run ?? 0) ? second.names : null
}

function compareRuns(before: CheckRun, now: CheckRun, again: TestNames | null): Finding[] {
  const ranBefore = before.tests?.run ?? 0
  const ranNow = now.tests?.run ?? 0
  if (before.names !== null && now.names !== null) {
    const isLoadedNow = ranNow > ranBefore || (before.tests?.failed ?? 0) <= before.names.failed.length
    const unloaded = `${now.name}: a file of tests did not load before, and no more tests ran now than then`
    return [
      ...comparedByName(now.name, withoutFlaky(before.names, now), now.names, again),
      ...(isLoadedNow ? [] : [inventoryFinding('testGone', unloaded)]),
    ]
  }
  const skippedMore = (now.tests?.skipped ?? 0) - (before.tests?.skipped ?? 0)
  return [
    ...(ranNow < ranBefore
      ? [inventoryFinding('testGone', `${now.name}: ${ranBefore} tests ran before and ${ranNow} now`)]
      : []),
    ...(ranBefore > 0 && skippedMore > 0
      ? [
          inventoryFinding(
            'testSkipped',
            `${now.name}: ${skippedMore} more ${skippedMore === 1 ? 'test is' : 'tests are'} skipped than before`,
          ),
        ]
      : []),
    ...(before.names !== null && ranNow > 0
      ? [inventoryFinding('inventoryUnknown', `${now.name}: its tests could be named before and cannot be now`)]
      : []),
  ]
}

/** A test that has another name or place now, with the same body, is not gone. */
function withoutMoved(before: TestNames, now: TestNames, moved: ReadonlyMap<string, readonly string[]>): TestNames {
  if (moved.size === 0) return before
  const known = new Set(namedIn(before))
  const fresh = now.passed.filter((name) => !known.has(name))
  const isThere = (name: string): boolean => {
    const titles = [...moved].flatMap(([title, others]) => (isTitleOf(title, name) ? others : []))
    const at = fresh.findIndex((one) => titles.some((title) => isTitleOf(title, one)))
    if (at !== -1) fresh.splice(at, 1)
    return at !== -1
  }
  const gone = new Set(
    missedTests(before, now).flatMap(({ name, is }) => (is === 'gone' && isThere(name) ? [name] : [])),
  )
  const left = (names: readonly string[]): string[] => names.filter((name) => !gone.has(name))
  return { passed: left(before.passed), failed: left(before.failed), skipped: left(before.skipped) }
}

/** A flaky test did run, and its failure is told elsewhere. */
function withoutFlaky(names: TestNames, { flaky = [] }: CheckRun): TestNames {
  if (flaky.length === 0) return names
  const isOther = (name: string): boolean => !flaky.some((test) => test.name === name)
  return {
    passed: names.passed.filter(isOther),
    failed: names.failed.filter(isOther),
    skipped: names.skipped.filter(isOther),
  }
}

function comparedByName(check: string, before: TestNames, now: TestNames, again: TestNames | null): Finding[] {
  const missed = missedTests(again === null ? before : steadyNames(before, again), now)
  const byName = missedInWords(missed).map(({ is, words }) =>
    inventoryFinding(is === 'gone' ? 'testGone' : 'testSkipped', `${check}: ${words}`),
  )
  if (byName.length > 0 || again === null) return byName
  // Names that change from run to run cannot be compared one by one, but their number must be the same.
  const [ranBefore, ranNow] = [before, now].map(({ passed, failed }) => passed.length + failed.length)
  return ranNow !== undefined && ranBefore !== undefined && ranNow < ranBefore
    ? [inventoryFinding('testGone', `${check}: ${ranBefore} tests ran before and ${ranNow} now`)]
    : []
}

/** Checks that name other tests than on the base, whether renamed or different in every run. */
export function checksToRunAgain(baseline: readonly CheckRun[], runs: readonly CheckRun[]): string[] {
  return runs.flatMap((run) => {
    const before = sameCheck(baseline, run)?.names ?? null
    if (run.kind !== 'check' || before === null || run.names === null) return []
    const isGone = missedTests(before, run.names).some(({ is }) => is === 'gone')
    return isGone && namesNewTests(before, run.names) ? [run.name] : []
  })
}

/** Notes for the reader: the names of the base that were ignored, since two runs of the base differ in them. */
export function unsteadyNotes(baseline: readonly CheckRun[], again: readonly CheckRun[]): string[] {
  return baseline.flatMap((before) => {
    const second = secondNames(before, again)
    if (before.names === null || second === null) return []
    const left = namedIn(before.names).length - namedIn(steadyNames(before.names, second)).length
    const what = left === 1 ? '1 test has another name' : `${left} tests have other names`
    return left === 0
      ? []
      : [`${before.name}: ${what} in every run of the base, so only the number of tests was compared`]
  })
}

/** Why a green run is no success: the check was red on the base, and fewer tests ran now. Null: it is a success. */
export function lostSinceRed(before: CheckRun, now: CheckRun): string | null {
  if (before.kind !== 'check' || isGreen(before) || !isGreen(now)) return null
  const ranBefore = before.tests?.run ?? 0
  const ranNow = now.tests?.run ?? 0
  if (ranNow >= ranBefore) return null
  const missed = before.names === null || now.names === null ? [] : missedTests(before.names, now.names)
  const which = missedInWords(missed).map(({ words }) => `${words}; `)
  return (
    `${now.name} was red before this task and is green only because fewer tests ran, ${ranNow} instead of ${ranBefore}: ` +
    `${which.join('')}bring back every test and make it pass`
  )
}

function missedInWords(missed: readonly MissedTest[]): { readonly is: MissedTest['is']; readonly words: string }[] {
  return (['gone', 'skipped'] as const).flatMap((is) =>
    (['passed', 'failed', 'skipped'] as const).flatMap((was) => {
      const names = missed.filter((test) => test.was === was && test.is === is).map(({ name }) => name)
      return names.length === 0 ? [] : [{ is, words: `${namesText(names)} ${fateText(was, is, names.length)}` }]
    }),
  )
}

function fateText(was: MissedTest['was'], is: MissedTest['is'], count: number): string {
  const [are, were] = count === 1 ? ['is', 'was'] : ['are', 'were']
  if (was === 'skipped') return `${were} skipped before and ${are} gone now`
  return `${was} before and ${is === 'gone' ? 'did not run' : `${are} skipped`} now`
}

function inventoryFinding(rule: Finding['rule'], what: string): Finding {
  return { rule, path: '.', line: null, what }
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).map((name) => `'${name}'`)
  const rest = names.length - shown.length
  const more = rest === 0 ? [] : [`${rest} more`]
  const all = [...shown, ...more]
  return all.length === 1 ? `the test ${all[0]}` : `the tests ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Notes for the reader about checks that ran tests without naming them. */
export function inventoryNotes(runs: readonly CheckRun[]): string[] {
  return runs
    .filter(({ tests, names }) => names === null && (tests?.run ?? 0) > 0)
    .map(({ name }) => `${name}: the runner does not name its tests, so only their number was compared`)
}
