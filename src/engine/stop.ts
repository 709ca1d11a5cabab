// Why a loop stops, and how it is told: from its own terminal, from another process, by a limit.
import type { DoneReason } from '../core/builds/done-reason.ts'
import type { TimeBound } from '../core/builds/run-outcome.ts'

export interface Stop {
  readonly reason: DoneReason
  /** What a person should know beyond the reason's own sentence. */
  readonly detail?: string
  /** The end time that was given is the reason. */
  readonly bound?: TimeBound
  /** What waits for a human is shown, although this is not the reason. */
  readonly asks?: true
  /** Why no agent was started: nothing could be verified. */
  readonly unstarted?: string
  /** What was thrown, where something was: only `--debug` shows it. */
  readonly cause?: unknown
}

export interface StopSwitch {
  /** Aborted when what runs now is to stop at once. */
  readonly signal: AbortSignal
  /** Aborted also when nothing more is to begin: who only waits need not wait on. */
  readonly asking: AbortSignal
  /** A reason to begin nothing more. */
  readonly asked: () => Stop | null
  /** The same, and whether a limit allows one more iteration; if so, it is counted. */
  readonly atIteration: () => Stop | null
  /** The same, and whether there is a point in waiting until then. */
  readonly atWait: (until: number) => Stop | null
  /** An iteration that was cut off by what is nobody's fault is not one of those that are allowed. */
  readonly uncount: () => void
  /** Begin nothing more; what runs may end. */
  readonly ask: (stop: Stop) => void
  /** Begin nothing more, and stop what runs. */
  readonly demand: (stop: Stop) => void
}

export interface StopLimits {
  /** Iterations that this run may still begin. */
  readonly iterations: number
  readonly whenSpent: Stop
  /** Milliseconds since 1970; null: no end time. */
  readonly until: number | null
  readonly now: () => number
}

/** A limit is met before an iteration: what was made is still verified, reviewed and merged. */
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
    // Who demands is obeyed over who asked: an abort or a Ctrl+C that follows a pause says how it ended.
    demand: (stop) => {
      if (controller.signal.aborted) return
      said = stop
      controller.abort(new Error(stop.reason))
    },
  }
}

/** Lets exactly one effect begin, of whatever kind: `asked` is what comes before each of them. */
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
