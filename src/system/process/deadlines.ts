// The two deadlines of a run: its wall time, and silence. Both use the monotonic clock.
import { DEADLINE_DEFAULT_MS, type Command } from './command.ts'

/** The longest Node timer (24.8 days); a longer one would fire at once. */
const TIMER_MAX_MS = 2_147_483_647

export interface Clock {
  /** The child printed something: silence starts again. */
  touch(): void
  /**
   * Silence is expected, for example while a tool of the agent runs. Calls may overlap; each returns its own way back.
   */
  suspendIdle(): () => void
  stop(): void
}

export function startDeadlines(
  limits: Pick<Command, 'deadlineMs' | 'idleMs'>,
  onExpired: (which: 'deadline' | 'idle') => void,
): Clock {
  const deadline = after(limits.deadlineMs ?? DEADLINE_DEFAULT_MS, () => onExpired('deadline'))
  const { idleMs } = limits
  let lastSign = performance.now()
  let suspensions = 0
  let idle: NodeJS.Timeout | undefined

  // One timer that looks when it fires, instead of one per chunk: a flood has 16,000 chunks per GB.
  const watch = (): void => {
    if (idleMs === undefined || suspensions > 0) return
    const restMs = lastSign + idleMs - performance.now()
    if (restMs <= 0) onExpired('idle')
    else idle = after(restMs, watch)
  }
  const resumer = (): (() => void) => {
    let isSpent = false
    return () => {
      if (isSpent) return
      isSpent = true
      lastSign = performance.now()
      if (--suspensions === 0) watch()
    }
  }
  watch()
  return {
    touch: () => {
      lastSign = performance.now()
    },
    suspendIdle: () => {
      suspensions++
      clearTimeout(idle)
      return resumer()
    },
    stop: () => {
      suspensions = Number.POSITIVE_INFINITY
      clearTimeout(idle)
      clearTimeout(deadline)
    },
  }
}

function after(delayMs: number, run: () => void): NodeJS.Timeout {
  return setTimeout(run, Math.min(Math.ceil(delayMs), TIMER_MAX_MS))
}

/** Waits for the promise, but no longer than this; leaves no timer that would keep the process alive. */
export async function within(promise: Promise<unknown>, limitMs: number): Promise<'done' | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = after(limitMs, () => resolve('late'))
  })
  const answer = await Promise.race([promise.then(() => 'done' as const), late])
  clearTimeout(timer)
  return answer
}
