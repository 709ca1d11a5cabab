// How long the probes of one tree may take together.
import type { CheckRun } from '../evidence/evidence.ts'

/** However fast the checks are, the probes have this much time. */
const FLOOR_MS = 30_000
/** A broken tree may be slower than the whole one, and a small suite much slower on a busy machine. */
const DEADLINE_FACTOR = 3
const DEADLINE_FLOOR_MS = 10_000

/** `share`: of the checks' own time. */
export function probeBudget(runs: readonly CheckRun[], share: number): number {
  return Math.max(FLOOR_MS, share * ownTime(runs))
}

/** An endless run under sabotage counts as noticed after this time. */
export function breakDeadline(run: Pick<CheckRun, 'durationMs'>): number {
  return Math.max(DEADLINE_FLOOR_MS, DEADLINE_FACTOR * run.durationMs)
}

export function ownTime(runs: readonly Pick<CheckRun, 'kind' | 'durationMs'>[]): number {
  return runs.reduce((sum, { kind, durationMs }) => sum + (kind === 'check' ? durationMs : 0), 0)
}
