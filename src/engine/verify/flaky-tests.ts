// Finds out whether a red check is red by flaky tests of the base. The same tree never gets a second try: a test is
// excused only where it fails without this change too.
import { type CheckRun, isGreen } from '../../core/evidence/evidence.ts'
import type { InstallRule } from '../../core/findings/install-scripts.ts'
import { probeBudget } from '../../core/probes/budget.ts'
import type { ChangedFile } from '../../core/probes/changed-file.ts'
import {
  allFailed,
  allFlipped,
  BASE_RERUNS_MAX,
  CANDIDATE_RERUNS_MAX,
  countFailures,
  type FailureCounts,
  flakyTests,
  type OwnTests,
  suspects,
  unsteadySentence,
} from '../../core/probes/flaky.ts'
import type { FlakyTest } from '../../core/evidence/probe-report.ts'
import { testChanges } from '../../core/probes/test-changes.ts'
import { newTestNames } from '../../core/probes/witness.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { Examination } from './check-runs.ts'
import { runForProbe } from './probe-runs.ts'

export interface FlakyInput {
  readonly tree: TreeId
  readonly baseTree: TreeId
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly CheckRun[]
  readonly install: InstallRule
  readonly files: readonly ChangedFile[]
}

/** The same runs; where only flaky tests failed, they say so and count as green. */
export async function withFlakyTests(taskRun: Examination, input: FlakyInput): Promise<readonly CheckRun[]> {
  if (!taskRun.engine.config.evidence.stable || input.runs.every(isGreen)) return input.runs
  const own: OwnTests = {
    added: new Set(newTestNames(input.runs, input.baseline)),
    changedTitles: testChanges(input.files).changedTitles,
  }
  return Promise.all(input.runs.map((run) => withFlakyOf(taskRun, input, run, own)))
}

async function withFlakyOf(taskRun: Examination, input: FlakyInput, run: CheckRun, own: OwnTests): Promise<CheckRun> {
  const before = input.baseline.find(({ checkHash }) => checkHash === run.checkHash)
  const names = suspects(run, before, own)
  if (names === null) return run
  const known = taskRun.engine.memory.flakyTests
  const excused = names.flatMap((name) => known.get(keyOf(run, name)) ?? [])
  if (excused.length === names.length) return { ...run, flaky: excused }
  const candidate = await repeat(taskRun, input, run, {
    names,
    tree: input.tree,
    first: [run],
    max: CANDIDATE_RERUNS_MAX,
    isEnough: allFlipped,
  })
  if (!allFlipped(candidate)) return run
  const first = before === undefined ? [] : [before]
  const base = await repeat(taskRun, input, run, {
    names,
    tree: input.baseTree,
    first,
    max: BASE_RERUNS_MAX,
    isEnough: allFailed,
  })
  if (!allFailed(base)) return { ...run, outputTail: `${unsteadySentence(candidate, base.runs)}\n${run.outputTail}` }
  const flaky = flakyTests(run.name, 'base', base)
  for (const test of flaky) known.set(keyOf(run, test.name), test)
  return { ...run, flaky }
}

interface Repeated {
  readonly names: readonly string[]
  readonly tree: TreeId
  /** Runs that were made before. */
  readonly first: readonly CheckRun[]
  readonly max: number
  readonly isEnough: (counts: FailureCounts) => boolean
}

/** Runs the check again until the counts say enough, or the time of the probes is over. */
async function repeat(
  taskRun: Examination,
  { install, runs: like }: FlakyInput,
  run: CheckRun,
  { names, tree, first, max, isEnough }: Repeated,
): Promise<FailureCounts> {
  const { engine } = taskRun
  const until = engine.now() + probeBudget(like, engine.config.evidence.share)
  const runs = [...first]
  for (let round = 0; round < max && !isEnough(countFailures(names, runs)); round += 1) {
    if (round > 0 && engine.now() > until) break
    const again = await runForProbe(taskRun, { tree, like: [run], install })
    runs.push(...again.filter(({ checkHash }) => checkHash === run.checkHash))
  }
  return countFailures(names, runs)
}

function keyOf({ checkHash }: CheckRun, name: string): string {
  return JSON.stringify([checkHash, name])
}

export function flakyIn(runs: readonly CheckRun[]): FlakyTest[] {
  return runs.flatMap(({ flaky = [] }) => flaky)
}
