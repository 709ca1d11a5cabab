// A verified tree enters the branch. Performing it again finds the commit by its trailers; a branch that moved meanwhile
// means another tree, which is verified before the ref moves.
import type { Effect } from '../../core/attempt.ts'
import { commitMessage } from '../../core/commit-message.ts'
import { refuse } from '../../core/error.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { Proof } from '../../core/fact.ts'
import type { CommitId, TreeId } from '../../core/id.ts'
import type { Keepsake } from '../../core/keepsake.ts'
import type { Version } from '../../workspace/workspace.ts'
import type { Performed } from '../perform.ts'
import { prove } from '../proof.ts'
import type { Job } from '../shop.ts'

type Merge = Extract<Effect, { do: 'merge' }>

/** Other loops land too; each round the branch has really moved on, so somebody made progress. */
const ROUNDS_MAX = 100

export async function merge(effect: Merge, job: Job): Promise<Performed> {
  const { workspaces } = job.shop
  const mark = markOf(job)
  const before = await workspaces.findMerged(job.build, mark)
  if (before !== null) return mergedBefore(job, effect, before)
  const base = await workspaces.baseOf(job.build, job.task.id, effect.tree)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const combined = await workspaces.combine(job.build, base, effect.tree)
    if (combined.is === 'conflict') {
      const error = `it conflicts with what was merged meanwhile in ${combined.paths.join(', ')}; resolve the conflict markers`
      return refused(job, error, combined)
    }
    const proved = combined.moved ? await proveMerged(job, effect, combined) : { proof: effect.proof, keepsakes: [] }
    if ('error' in proved) return refused(job, proved.error, combined)
    const landed = await land(job, effect, proved, combined)
    if (landed !== null) return merged(job, landed, proved.proof, proved.keepsakes)
  }
  return refused(job, 'the branch kept moving while this was merged', null)
}

/** Landed, and the process ended before it was recorded. Evidence of a tree that was merged is only in its note then. */
async function mergedBefore(job: Job, effect: Merge, before: Version): Promise<Performed> {
  if (before.tree === effect.tree || effect.proof.by === 'person') return merged(job, before, effect.proof, [])
  const note = await job.shop.workspaces.noteOn(before.commit)
  if (note === null) throw refuse('INTERNAL', { reason: `commit ${before.commit} has lost its note` })
  const { proof, evidence } = JSON.parse(note) as { proof: typeof effect.proof; evidence: Evidence }
  return merged(job, before, proof, [{ kind: 'evidence', id: proof.evidence, evidence }])
}

function markOf({ build, task, attempt }: Job) {
  return { build, task: task.id, attempt: attempt.number, iteration: attempt.iteration }
}

interface Combination {
  readonly head: CommitId
  readonly tree: TreeId
}

interface Proved {
  readonly proof: Proof
  /** What the store does not have yet. */
  readonly keepsakes: readonly Keepsake[]
}

async function proveMerged(job: Job, effect: Merge, { head, tree }: Combination): Promise<Proved | { error: string }> {
  if (effect.proof.by === 'person') return { proof: effect.proof, keepsakes: [] }
  const { evidence, id, judgement } = await prove(job, tree, head)
  const { verdict } = judgement
  if (verdict.is !== 'green') return { error: `after merging with what came meanwhile: ${verdict.error}` }
  return { proof: { by: 'evidence', evidence: id }, keepsakes: [{ kind: 'evidence', id, evidence }] }
}

async function land(job: Job, effect: Merge, proved: Proved, { head, tree }: Combination): Promise<Version | null> {
  const { shop, build, task, attempt } = job
  const { proof } = proved
  const message = commitMessage({
    build,
    task: task.id,
    taskName: attempt.taskName,
    attempt: attempt.number,
    iteration: attempt.iteration,
    evidence: proof.by === 'evidence' ? proof.evidence : null,
    resolution: effect.resolution?.text ?? null,
  })
  const evidence = await evidenceOf(job, proved)
  const note = JSON.stringify({ task: task.id, tree, proof, evidence, resolution: effect.resolution })
  return shop.workspaces.land(build, head, tree, message, note)
}

/** Goes with the commit wherever that goes: whoever has the repository can run it again without our store. */
async function evidenceOf({ shop, build, task }: Job, { proof, keepsakes }: Proved): Promise<Evidence | null> {
  if (proof.by === 'person') return null
  const fresh = keepsakes.filter((kept) => kept.kind === 'evidence')
  const kept = fresh.length > 0 ? fresh : await shop.store.builds.keepsakes(build, 'evidence', task.id)
  return kept.find(({ id }) => id === proof.evidence)?.evidence ?? null
}

function merged({ task, attempt }: Job, version: Version, proof: Proof, keepsakes: readonly Keepsake[]): Performed {
  const { commit, tree } = version
  return { fact: { type: 'merged', taskId: task.id, attempt: attempt.number, commit, tree, proof }, keepsakes }
}

/** The next attempt goes on from the branch as it is now, with this work on top of it. */
async function refused(job: Job, error: string, combined: Combination | null): Promise<Performed> {
  const workspace = await job.shop.workspaces.find(job.build, job.task.id)
  if (workspace !== null && combined !== null) await job.shop.workspaces.rebase(workspace, combined.head, combined.tree)
  const tree = combined?.tree ?? null
  return { fact: { type: 'mergeRefused', taskId: job.task.id, attempt: job.attempt.number, error, tree } }
}
