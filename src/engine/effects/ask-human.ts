import type { Effect } from '../../core/attempt/attempt.ts'
import { questionReason } from '../../core/probes/report/probe-text.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

/**
 * The question is the fact itself, which everybody sees who looks at the build: so it names what the checks saw last.
 * The engine keeps the task's folder for the human.
 */
export async function askHuman(
  effect: Extract<Effect, { do: 'askHuman' }>,
  { engine, build, attempt }: TaskRun,
): Promise<EffectOutcome> {
  const evidence = await engine.store.builds.attachments(build, 'evidence', attempt.task)
  const last = evidence.toSorted((one, other) => one.evidence.at - other.evidence.at).at(-1)?.evidence
  const reason = questionReason(effect.reason, last)
  return { fact: { type: 'humanNeeded', taskId: attempt.task, taskName: attempt.taskName, reason } }
}
