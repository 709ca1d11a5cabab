// Counts what a run achieves, and derives its outcome at the end.
import type { Instant } from '../../core/values/id.ts'
import { whyFruitless, NOTHING_YET, addToTally } from '../../core/builds/run-outcome.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { Stop } from '../../engine/stop.ts'

export interface CountedRun {
  readonly engine: EngineDeps
  /** How the run ended, for the exit code. */
  readonly outcome: (stop: Stop) => Stop
}

export function countingRun(engine: EngineDeps): CountedRun {
  const { watcher } = engine
  let tally = NOTHING_YET
  const fact: typeof watcher.fact = (event) => {
    tally = addToTally(tally, event)
    watcher.fact(event)
  }
  const leaseLost = (takenBy: string): void => {
    tally = { ...tally, lostTo: [...tally.lostTo, takenBy] }
    watcher.leaseLost?.(takenBy)
  }
  return {
    engine: { ...engine, watcher: { ...watcher, fact, leaseLost } },
    outcome: (stop) => {
      // What this run merged still counts if it gave way to another loop in the end.
      if (stop.reason === 'NoProgress') return tally.merged > 0 ? { ...stop, reason: 'Paused' } : stop
      const detail = whyFruitless(stop, tally, (at) => clock(at, engine.now()))
      return detail === null ? stop : { ...stop, reason: 'NoProgress', detail }
    },
  }
}

const DAY_MS = 86_400_000

/** In the user's time zone: `HH:MM`, with the date where it is another day. */
function clock(at: Instant, now: Instant): string {
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (Math.abs(at - now) < DAY_MS) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}
