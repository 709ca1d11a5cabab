import type { Effect } from '../../core/attempt/attempt.ts'
import { goesBack } from '../../core/attempt/feedback.ts'
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
  const { findings, probes } = evidence
  const isGreen = judgement.verdict.is === 'green'
  const baseTests = redWithBaseTests(evidence.secondOpinion)
  return {
    fact: {
      type: 'verified',
      taskId: taskRun.task.id,
      attempt: taskRun.attempt.number,
      tree: effect.tree,
      verdict: judgement.verdict,
      evidence: id,
      ...(isGreen && findings.length > 0 ? { findings } : {}),
      ...(probes === undefined ? {} : { strength: probes.strength, sentence: probes.sentence }),
      ...(probes?.sealed?.told === undefined ? {} : { sealed: probes.sealed.told }),
      ...(isGreen && goesBack(taskRun.attempt, effect.resolution, probes?.strength, probes?.sealed?.told)
        ? { sentBack: true }
        : {}),
      ...(baseTests.length === 0 ? {} : { baseTests }),
    },
    attachments: [{ kind: 'evidence', id, evidence }],
  }
}
