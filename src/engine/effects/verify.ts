import type { Effect } from '../../core/attempt/attempt.ts'
import { redWithBaseTests } from '../../core/evidence/base-judged-run.ts'
import type { EffectOutcome } from '../perform.ts'
import { prove } from '../verify/proof.ts'
import type { TaskRun } from '../deps.ts'

/** Runs the checks on exactly the tree that would be merged, and returns what they prove. */
export async function verify(effect: Extract<Effect, { do: 'verify' }>, taskRun: TaskRun): Promise<EffectOutcome> {
  const { evidence, id, judgement } = await prove(
    taskRun,
    effect.tree,
    await taskRun.engine.workspaces.baseOf(taskRun.build, taskRun.task.id, effect.tree),
  )
  const { findings } = evidence
  const baseTests = redWithBaseTests(evidence.secondOpinion)
  return {
    fact: {
      type: 'verified',
      taskId: taskRun.task.id,
      attempt: taskRun.attempt.number,
      tree: effect.tree,
      verdict: judgement.verdict,
      evidence: id,
      ...(judgement.verdict.is === 'green' && findings.length > 0 ? { findings } : {}),
      ...(evidence.probes === undefined
        ? {}
        : { strength: evidence.probes.strength, sentence: evidence.probes.sentence }),
      ...(evidence.probes?.sealed?.told === undefined ? {} : { sealed: evidence.probes.sealed.told }),
      ...(baseTests.length === 0 ? {} : { baseTests }),
    },
    attachments: [{ kind: 'evidence', id, evidence }],
  }
}
