// Witnesses: tests that are green on the candidate and fail without the change. A test that the base already passes
// cannot be one, whatever it fails on, since its behaviour was there before.
import type { CheckRun } from '../evidence/evidence.ts'
import type { Witnesses } from '../evidence/probe-report.ts'
import { isTitleOf } from '../test-output/test-names.ts'

export interface WitnessInput {
  /** The checks on the candidate, all green. */
  readonly candidate: readonly CheckRun[]
  readonly baseline: readonly CheckRun[]
  /** The base's code with the candidate's tests; null: the patch changes no test, so the baseline is that run. */
  readonly onBase: readonly CheckRun[] | null
  /** The candidate with its changed code emptied; null: not run. */
  readonly emptied: readonly CheckRun[] | null
  /** Titles of tests that the patch changed and whose names stayed. */
  readonly changedTitles: readonly string[]
  /** Tests that count as nothing: they were red before in this task, and were changed since. */
  readonly excluded?: ReadonlySet<string>
}

const LISTED_MAX = 20

export function witnessesOf(input: WitnessInput): Witnesses {
  const found = input.candidate.filter(({ kind }) => kind === 'check').map((run) => ofCheck(run, input))
  const tests = found.flatMap((one) => one.tests)
  return {
    tests: tests.slice(0, LISTED_MAX),
    count: found.reduce((sum, one) => sum + one.count, 0),
    by: [...new Set(found.flatMap((one) => one.by))],
  }
}

/**
 * A witness must notice a break too: a test that only sees that a name exists fails on the base, and on nothing else.
 * `noticed`: the tests that failed in any break.
 */
export function withoutBlind(witnesses: Witnesses, noticed: ReadonlySet<string>): Witnesses {
  const tests = witnesses.tests.filter((name) => noticed.has(name))
  if (witnesses.by.includes('count') || witnesses.count === 0 || noticed.size === 0) return witnesses
  if (tests.length > 0) return witnesses
  return { ...NO_WITNESSES, blind: witnesses.count }
}

export const NO_WITNESSES: Witnesses = { tests: [], count: 0, by: [] }

function ofCheck(run: CheckRun, input: WitnessInput): Witnesses {
  const before = sameCheck(input.baseline, run)
  const onBase = input.onBase === null ? before : sameCheck(input.onBase, run)
  const emptied = sameCheck(input.emptied ?? [], run)
  if (run.names === null || (onBase !== undefined && onBase.names === null)) return byCount(run, onBase, emptied)
  const failedOnBase = new Set(onBase?.names?.failed)
  const seenOnBase = new Set([...(onBase?.names?.passed ?? []), ...(onBase?.names?.skipped ?? [])])
  const failedEmptied = new Set(emptied?.names?.failed)
  const eligible = eligibleNames(run.names.passed, before, input)
  const ofBase = eligible.filter((name) => failedOnBase.has(name))
  const ofEmptied = eligible.filter(
    (name) => !failedOnBase.has(name) && !seenOnBase.has(name) && failedEmptied.has(name),
  )
  const tests = [...ofBase, ...ofEmptied]
  const by = [
    ...(ofBase.length > 0 ? (['base'] as const) : []),
    ...(ofEmptied.length > 0 ? (['emptied'] as const) : []),
  ]
  return { tests, count: tests.length, by }
}

/** New tests, tests that were red, and tests that the patch changed. */
function eligibleNames(green: readonly string[], before: CheckRun | undefined, input: WitnessInput): string[] {
  const passedBefore = new Set(before?.names?.passed)
  const isChanged = (name: string): boolean => input.changedTitles.some((title) => isTitleOf(title, name))
  return [...new Set(green)].filter(
    (name) => (!passedBefore.has(name) || isChanged(name)) && input.excluded?.has(name) !== true,
  )
}

/** Without names: more failed than on the candidate, and as many were collected. */
function byCount(run: CheckRun, onBase: CheckRun | undefined, emptied: CheckRun | undefined): Witnesses {
  const collected = run.tests?.run ?? 0
  for (const broken of [onBase, emptied]) {
    const { run: ran = 0, failed = 0 } = broken?.tests ?? {}
    if (collected > 0 && failed > 0 && ran >= collected) return { tests: [], count: failed, by: ['count'] }
  }
  return NO_WITNESSES
}

function sameCheck(runs: readonly CheckRun[], { checkHash }: CheckRun): CheckRun | undefined {
  return runs.find((run) => run.checkHash === checkHash)
}

/** Names on the candidate that the base does not have. */
export function newTestNames(candidate: readonly CheckRun[], baseline: readonly CheckRun[]): string[] {
  return candidate.flatMap((run) => {
    const before = sameCheck(baseline, run)?.names ?? null
    if (run.names === null || run.kind !== 'check') return []
    const known = new Set(before === null ? [] : [...before.passed, ...before.failed, ...before.skipped])
    return run.names.passed.filter((name) => !known.has(name))
  })
}
