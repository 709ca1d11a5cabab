// Why a loop stops, and who can stop it: its own terminal, another process, or a limit.
import type { DoneReason } from '../core/builds/done-reason.ts'
import type { TimeBound } from '../core/builds/run-outcome.ts'

export interface Stop {
  readonly reason: DoneReason
  /** More than the reason's own sentence says. */
  readonly detail?: string
  /** Set where the given end time is the reason. */
  readonly bound?: TimeBound
  /** Show what waits for a human, although that is not the reason. */
  readonly asks?: true
  /** Why no agent was started: nothing could be verified. */
  readonly unstarted?: string
  /** The error, if there was one; only `--debug` shows it. */
  readonly cause?: unknown
}

export interface StopSwitch {
  /** Aborted when running work has to stop at once. */
  readonly signal: AbortSignal
  /** Also aborted when nothing more may begin, so that a wait can end early. */
  readonly asking: AbortSignal
  /** A reason to begin nothing more. */
  readonly asked: () => Stop | null
  /** The same, and whether a limit allows one more iteration; if so, this counts it. */
  readonly atIteration: () => Stop | null
  /** The same, and whether waiting until then makes sense. */
  readonly atWait: (until: number) => Stop | null
  /** Takes back the count of an iteration that was cut off through nobody's fault. */
  readonly uncount: () => void
  /** Begins nothing more; running work may finish. */
  readonly ask: (stop: Stop) => void
  /** Begins nothing more, and stops running work. */
  readonly demand: (stop: Stop) => void
}

export interface StopLimits {
  /** How many iterations this run may still begin. */
  readonly iterations: number
  readonly whenSpent: Stop
  /** Milliseconds since 1970; null: no end time. */
  readonly until: number | null
  readonly now: () => number
}

/** A limit applies before an iteration, so that finished work is still verified, reviewed and merged. */
export function stopSwitch(limits: StopLimits): StopSwitch {
  const controller = new AbortController()
  const asking = new AbortController()
  let said: Stop | null = null
  let left = limits.iterations
  return {
    signal: controller.signal,
    asking: AbortSignal.any([controller.signal, asking.signal]),
    asked: () => said,
    atIteration: () => {
      if (said !== null) return said
      if (limits.until !== null && limits.now() >= limits.until)
        return {
          reason: 'Paused',
          detail: "The time given with --until has come; 'ralph build' goes on.",
          bound: { until: limits.until },
        }
      if (left <= 0) return limits.whenSpent
      left -= 1
      return null
    },
    atWait: (until) => {
      if (said !== null || limits.until === null || until < limits.until) return said
      return {
        reason: 'Paused',
        detail: "The agent's own limit lasts beyond the time given with --until; 'ralph build' goes on.",
        bound: { until: limits.until, limitedUntil: until },
      }
    },
    uncount: () => {
      left += 1
    },
    ask: (stop) => {
      said ??= stop
      asking.abort(new Error(stop.reason))
    },
    // A demand overrides a request: an abort or a Ctrl+C after a pause decides how the run ended.
    demand: (stop) => {
      if (controller.signal.aborted) return
      said = stop
      controller.abort(new Error(stop.reason))
    },
  }
}

/** Lets exactly one effect begin, of any kind: the loop calls `asked` before each one. */
export function oneEffect(signal: AbortSignal, whenDone: Stop): StopSwitch {
  let effects = 0
  let said: Stop | null = null
  const ask = (stop: Stop): void => {
    said ??= stop
  }
  return {
    signal,
    asking: signal,
    asked: () => {
      effects += 1
      return said ?? (effects > 1 ? whenDone : null)
    },
    atIteration: () => said,
    atWait: () => said,
    uncount: () => {},
    ask,
    demand: ask,
  }
}
