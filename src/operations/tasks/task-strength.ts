// What the green tree of a task is worth: the tree in the branch, else the one that was verified last.
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { Evidence } from '../../core/evidence/evidence.ts'
import type { FlakyTest, ProbeReport } from '../../core/evidence/probe-report.ts'
import type { Proof } from '../../core/fact/fact.ts'
import { flakyTestsOf, mergedStrength, type StrengthWords } from '../../core/probes/report/probe-text.ts'
import type { Task } from '../../core/task/task.ts'
import type { Store } from '../../store/store.ts'

export interface TaskStrength extends StrengthWords {
  /** Null: a person took it over, or the evidence is from a version without probes. */
  readonly probes: ProbeReport | null
  /** Tests that are green and red on the same tree, of the checks and of the probes. */
  readonly flaky: readonly FlakyTest[]
}

/** `merged`: null where the task is not in the branch. `evidence`: of that tree. Null: nothing is green. */
export function taskStrength(merged: Proof | null, evidence: Evidence | null): TaskStrength | null {
  if (merged === null && evidence === null) return null
  const { strength = null, sentence = null } = evidence?.probes ?? {}
  const words = merged === null ? { strength, sentence } : mergedStrength(merged, evidence)
  return { ...words, probes: evidence?.probes ?? null, flaky: evidence === null ? [] : flakyTestsOf(evidence) }
}

/** The evidence of the tree that was verified last, if that is green. */
export function lastGreen({ id, status }: Pick<Task, 'id' | 'status'>, evidence: readonly Evidence[]): Evidence | null {
  const own = status === 'skipped' ? [] : evidence.filter(({ task }) => task === id)
  const last = own.toSorted((one, other) => one.at - other.at).at(-1)
  return last?.verdict === 'green' ? last : null
}

/** Of one task, read from the store; null: no build verified it. */
export async function readTaskStrength(
  { builds }: Pick<Store, 'builds'>,
  task: Pick<Task, 'id' | 'status' | 'build'>,
): Promise<TaskStrength | null> {
  if (task.build === null) return null
  const attempt = await builds.attempt(task.build, task.id)
  if (attempt === null) return null
  const records = await builds.attachments(task.build, 'evidence', task.id)
  const proof = proofOf(attempt)
  if (proof === null)
    return taskStrength(
      null,
      lastGreen(
        task,
        records.map(({ evidence }) => evidence),
      ),
    )
  const own = proof.by === 'evidence' ? records.find(({ id }) => id === proof.evidence) : undefined
  return taskStrength(proof, own?.evidence ?? null)
}

function proofOf({ phase }: Attempt): Proof | null {
  return phase.at === 'settled' && phase.as.is === 'done' ? phase.as.proof : null
}
