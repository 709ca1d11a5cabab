import type { Effect } from '../../core/attempt.ts'
import type { Instant } from '../../core/id.ts'
import type { Performed } from '../perform.ts'
import type { Job } from '../shop.ts'

/** setTimeout takes no more than 2^31 ms; a longer wait is asked for again. */
const SLEEP_MAX_MS = 86_400_000

/** Waits until the time that was given, or until it is to stop. */
export async function wait(
  effect: Extract<Effect, { do: 'wait' }>,
  { attempt, shop, signal }: Job,
): Promise<Performed> {
  const about = { taskId: attempt.task }
  await sleepUntil(effect.until, shop.now, signal)
  return signal.aborted
    ? { fact: { type: 'interrupted', ...about, reason: 'stopped while waiting' } }
    : { fact: { type: 'waited', ...about } }
}

/** Or until it is to stop. */
export async function sleepUntil(until: Instant, now: () => Instant, signal: AbortSignal): Promise<void> {
  while (now() < until && !signal.aborted) await sleep(until - now(), signal)
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(ms, SLEEP_MAX_MS))
    signal.addEventListener('abort', wake)
  })
}
