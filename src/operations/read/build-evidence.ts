// Why each merged task of a build can be trusted: its commit, and what the engine ran on exactly that tree.
import type { Settlement } from '../../core/attempt/attempt.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { EvidenceRecord } from '../../core/builds/attachment.ts'
import { removedTasks } from '../../core/builds/removed-tasks.ts'
import { mergedStrength } from '../../core/probes/report/probe-text.ts'
import { rerunCommand } from '../../core/evidence/rerun.ts'
import type { Task } from '../../core/task/task.ts'
import { wireProbes } from './wire-probes.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { EvidencePage, ProvedTask } from '../contract/evidence.ts'

export interface EvidenceQuery {
  /** The last task of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** The evidence of a task can have megabytes of output, so this reads only one page of it. */
export async function readBuildEvidence(
  { store, scope }: BuildContext,
  build: BuildId,
  { after, limit }: EvidenceQuery,
): Promise<EvidencePage> {
  const [tasks, attempts, sessions] = await Promise.all([
    store.tasks.list(scope, {}),
    store.builds.attempts(build),
    store.spending.list(build),
  ])
  const merged = tasks.flatMap((task) => {
    const phase = attempts.get(task.id)?.phase
    return phase?.at === 'settled' && phase.as.is === 'done' ? [{ task, as: phase.as }] : []
  })
  const from = after === undefined ? 0 : merged.findIndex(({ task }) => task.id === after) + 1
  if (after !== undefined && from === 0)
    throw refuse('INPUT_BAD', { problem: `after: there is no merged task '${after}'` })
  const page = merged.slice(from, from + limit)
  const proved = await Promise.all(
    page.map(async ({ task, as }) => provedTask(task, as, await store.builds.attachments(build, 'evidence', task.id))),
  )
  const removed = removedTasks(tasks, build, sessions)
  return { tasks: proved, removed, next: from + limit < merged.length ? (proved.at(-1)?.taskId ?? null) : null }
}

function provedTask(
  { id, title }: Task,
  { commit, tree, proof }: Extract<Settlement, { is: 'done' }>,
  records: readonly EvidenceRecord[],
): ProvedTask {
  const evidence = proof.by === 'person' ? undefined : records.find((record) => record.id === proof.evidence)?.evidence
  const { cleared = null } = evidence ?? {}
  const about = {
    taskId: id,
    title,
    commit,
    tree,
    ...mergedStrength(proof, evidence ?? null),
    probes: wireProbes(evidence?.probes),
    cleared: cleared === null ? null : { by: cleared.by, reasons: [...cleared.reasons] },
  }
  if (proof.by === 'person') return { ...about, digest: null, acceptedBy: proof.person, checks: [] }
  const checks = (evidence?.checks ?? []).map((run) => {
    const { name, kind, how, exit, tests, cached, outputDigest } = run
    const rerun = evidence === undefined ? null : rerunCommand(evidence, name)
    return { name, kind, isGreen: isGreen(run), how, exit, tests, cached, outputDigest, rerun }
  })
  return { ...about, digest: proof.evidence, acceptedBy: null, checks }
}
