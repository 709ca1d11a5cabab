import type { Effect } from '../../core/attempt/attempt.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

/**
 * The question is the fact itself, which everybody sees who looks at the build. The engine keeps the task's folder for
 * the human.
 */
export async function askHuman(
  effect: Extract<Effect, { do: 'askHuman' }>,
  { attempt }: TaskRun,
): Promise<EffectOutcome> {
  return {
    fact: { type: 'humanNeeded', taskId: attempt.task, taskName: attempt.taskName, reason: effect.reason },
  }
}
