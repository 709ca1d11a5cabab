import type { Effect } from '../../core/attempt/attempt.ts'
import type { Instant } from '../../core/values/id.ts'
import type { Role } from '../../agents/agent.ts'
import type { EffectOutcome } from '../perform.ts'
import { isAlone, orderOf } from '../session/fallback-agents.ts'
import type { TaskRun } from '../deps.ts'

/** How often to look at the clock: a timer stops while a laptop sleeps, but the limit does not. */
const SLEEP_MAX_MS = 60_000

/**
 * Waits until the given time or until it has to stop. Does not wait where the limit is lifted or the agent replaced.
 */
export async function wait(
  effect: Extract<Effect, { do: 'wait' }>,
  { attempt, engine, signal, atWait = () => null }: TaskRun,
): Promise<EffectOutcome> {
  const about = { taskId: attempt.task }
  if (engine.isLifted?.(attempt.task) === true || !isNeeded(effect.agent, attempt, engine))
    return { fact: { type: 'waited', ...about } }
  const stop = atWait(effect.until)
  if (stop !== null)
    return { fact: { type: 'interrupted', ...about, reason: 'not waited for: it lasts too long' }, stop }
  await sleepUntil(effect.until, engine.now, signal)
  return signal.aborted
    ? { fact: { type: 'interrupted', ...about, reason: 'stopped while waiting' } }
    : { fact: { type: 'waited', ...about } }
}

/** False where the agent was replaced, or another agent can take its role. */
function isNeeded(name: string, { phase, worker }: TaskRun['attempt'], engine: TaskRun['engine']): boolean {
  const role = roleAt(phase.at === 'limited' ? phase.resumes.at : phase.at)
  return role === null || isAlone(engine, orderOf(engine, role, worker), name)
}

function roleAt(phase: TaskRun['attempt']['phase']['at']): Role | null {
  switch (phase) {
    case 'working':
      return 'implementer'
    case 'reviewing':
    case 'objecting':
      return 'reviewer'
    case 'intervening':
      return 'sia'
    default:
      return null
  }
}

/** Sleeps until then, or until the signal is aborted. */
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
