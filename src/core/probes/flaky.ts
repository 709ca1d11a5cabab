// Tests that are green and red on the same tree. A red result stays red, unless its failing tests are flaky: they fail
// now and then on the base too, where this patch does not exist. The check is then judged without them, and they are
// named with their counts. A test that flips on the candidate alone is the patch's own trouble.
import { type CheckRun, isGreen } from '../evidence/evidence.ts'
import { endingOf } from '../evidence/run-ending.ts'
import type { FlakyTest } from '../evidence/probe-report.ts'
import { isTitleOf } from '../test-output/test-names.ts'

export const CANDIDATE_RERUNS_MAX = 5
export const BASE_RERUNS_MAX = 10

export interface OwnTests {
  /** Names that the base does not have. */
  readonly added: ReadonlySet<string>
  readonly changedTitles: readonly string[]
}

/** The failing tests of a red run, where all of them could be flaky; null: the run is simply red. */
export function suspects(run: CheckRun, before: CheckRun | undefined, own: OwnTests): readonly string[] | null {
  if (run.kind !== 'check' || isGreen(run) || endingOf(run) !== 'failed' || run.names === null) return null
  const { failed } = run.names
  const isCounted = failed.length > 0 && (run.tests?.failed ?? 0) <= failed.length
  const known = new Set([...(before?.names?.passed ?? []), ...(before?.names?.failed ?? [])])
  const isForeign = (name: string): boolean =>
    known.has(name) && !own.added.has(name) && !own.changedTitles.some((title) => isTitleOf(title, name))
  return isCounted && failed.every(isForeign) ? [...new Set(failed)] : null
}

/** How often each test failed, over all runs of one check on one tree. */
export interface FailureCounts {
  readonly runs: number
  readonly failed: ReadonlyMap<string, number>
}

export function countFailures(names: readonly string[], runs: readonly CheckRun[]): FailureCounts {
  // A run that did not come to its own end says nothing about a test.
  const ended = runs.filter((run) => run.names !== null && (isGreen(run) || endingOf(run) === 'failed'))
  const failed = names.map((name): [string, number] => [
    name,
    ended.filter((run) => run.names?.failed.includes(name)).length,
  ])
  return { runs: ended.length, failed: new Map(failed) }
}

/** Whether every test was seen both green and red, so that no further run would say more. */
export function allFlipped({ runs, failed }: FailureCounts): boolean {
  return [...failed.values()].every((count) => count > 0 && count < runs)
}

/** Whether every test was seen red at least once. */
export function allFailed({ failed }: FailureCounts): boolean {
  return [...failed.values()].every((count) => count > 0)
}

export function flakyTests(check: string, on: FlakyTest['on'], { runs, failed }: FailureCounts): FlakyTest[] {
  return [...failed].map(([name, count]) => ({ check, name, failed: count, runs, on }))
}

/** `'a' failed 2 of 7 times on this tree and never on the base in 10 runs: make it steady` */
export function unsteadySentence(candidate: FailureCounts, baseRuns: number): string {
  const which = [...candidate.failed].map(([name, count]) => `'${name}' failed ${count} of ${candidate.runs} times`)
  return `${which.join(', ')} on this tree and never in ${baseRuns} runs of the base: this change makes it unsteady`
}

export function flakyText({ name, failed, runs, on }: FlakyTest): string {
  const where = on === 'base' ? 'of the base, without this change' : 'of this tree'
  return `'${name}' is flaky: it failed in ${failed} of ${runs} runs ${where}; the check is judged without it`
}
