// Evidence: what the engine ran, on which tree, and what came out. Anyone can run it again.
import type { CommitId, Instant, TaskId, TreeId } from './id.ts'

/** Counted from what the runner printed; `source` names the runner. */
export interface TestCount {
  readonly source: string
  readonly run: number
  readonly failed: number
  readonly skipped: number
}

/** What a validator reported as JSON. */
export interface ValidatorReport {
  readonly ok: boolean
  readonly errors: readonly string[]
}

export interface CheckRun {
  readonly name: string
  readonly kind: 'check' | 'validator'
  /** sha256 of what makes this check this check: command, folder, time limit. */
  readonly checkHash: string
  readonly argv: readonly string[]
  readonly exit: number | null
  readonly how: 'exited' | 'signalled' | 'timedOut' | 'flooded' | 'notStarted'
  readonly durationMs: number
  /** null: the runner did not say. */
  readonly tests: TestCount | null
  readonly outputDigest: string
  readonly outputTail: string
  readonly report: ValidatorReport | null
  /** Taken over from an earlier run on the same tree. */
  readonly cached: boolean
}

export interface Evidence {
  readonly task: TaskId
  readonly tree: TreeId
  /** The commit that the work stands on. */
  readonly base: CommitId
  readonly checks: readonly CheckRun[]
  /** The same checks on the base, where it mattered. */
  readonly baseline: readonly CheckRun[]
  readonly verdict: 'green' | 'red' | 'unverified'
  /** What a reader should know: bootstrap, no tests required, red before. */
  readonly notes: readonly string[]
  readonly configHash: string
  readonly platform: string
  readonly at: Instant
}

/** Passed by its own word, and by ours: a runner that counts failures and exits 0 is not believed. */
export function isGreen(run: CheckRun): boolean {
  return (
    run.how === 'exited' && run.exit === 0 && (run.tests?.failed ?? 0) === 0 && (run.report === null || run.report.ok)
  )
}

export function testsRun(runs: readonly CheckRun[]): number {
  return runs.reduce((sum, run) => sum + Math.max(0, (run.tests?.run ?? 0) - (run.tests?.skipped ?? 0)), 0)
}
