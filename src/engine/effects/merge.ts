// Moves the branch to a verified tree. Performing the effect again finds the commit that was intended for it. If the
// branch has moved meanwhile, the merge is a new tree, which is verified before the ref moves.
import type { Effect } from '../../core/attempt/attempt.ts'
import { readAttestation } from '../../core/evidence/attestation.ts'
import { commitMessage } from '../../core/builds/commit-message.ts'
import { refuse } from '../../core/error/error.ts'
import type { Clearance, Evidence } from '../../core/evidence/evidence.ts'
import { type Finding, findingText } from '../../core/fact/finding.ts'
import type { Proof } from '../../core/fact/fact.ts'
import type { CommitId, TreeId } from '../../core/values/id.ts'
import type { Version } from '../../workspace/workspace.ts'
import { needsSecondLook } from '../../core/attempt/review.ts'
import { leaseOn } from '../claimed-task.ts'
import { commitToBranch, soundBranch } from '../verify/landing.ts'
import type { EffectOutcome } from '../perform.ts'
import { evidenceId, prove } from '../verify/proof.ts'
import type { TaskRun } from '../deps.ts'
import type { LandingRecord } from '../../core/attempt/landing.ts'

type Merge = Extract<Effect, { do: 'merge' }>

/** Other loops merge too; in each round the branch has really moved, so somebody made progress. */
const ROUNDS_MAX = 100

export async function merge(effect: Merge, taskRun: TaskRun): Promise<EffectOutcome> {
  const { workspaces } = taskRun.engine
  const before = await landedBefore(taskRun)
  if (before !== null) return mergedBefore(taskRun, effect, before)
  const base = await workspaces.baseOf(taskRun.build, taskRun.task.id, effect.tree)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const combined = await workspaces.mergeTrees(taskRun.build, base, effect.tree)
    if (combined.is === 'conflict') {
      const error = `it conflicts with what was merged meanwhile in ${combined.paths.join(', ')}; resolve the conflict markers`
      return refuseMerge(taskRun, error, combined)
    }
    const proved = await proveCombined(taskRun, effect, combined)
    if ('error' in proved) return refuseMerge(taskRun, proved.error, combined)
    const landed = await landProved(taskRun, effect, proved, combined)
    // The loop that has the task now continues it; the store records nothing more from this loop.
    if (landed === 'lost') return refusedOutcome(taskRun, 'the task was taken away while it was merged', null)
    if (landed !== null) return mergedOutcome(taskRun, landed, proved.proof)
  }
  return refuseMerge(taskRun, 'the branch kept moving while this was merged', null)
}

async function landedBefore({ engine, build, task, attempt }: TaskRun): Promise<LandingRecord | null> {
  const { landings } = await soundBranch(engine, build)
  const isIts = ({ task: its, mark }: LandingRecord): boolean =>
    its === task.id && mark?.attempt === attempt.number && mark.iteration === attempt.iteration
  return [...landings.values()].find(isIts) ?? null
}

/** The merge was done, and the process ended before it was recorded. */
async function mergedBefore(taskRun: TaskRun, effect: Merge, before: LandingRecord): Promise<EffectOutcome> {
  if (before.proof !== null) return mergedOutcome(taskRun, before, before.proof)
  if (effect.proof.by === 'person') return mergedOutcome(taskRun, before, effect.proof)
  // From a version that recorded no landings: the note holds the evidence, and the commit its digest.
  const { message } = (await taskRun.engine.workspaces.history(taskRun.build, before.commit, before.onto))[0] ?? {
    message: '',
  }
  const note = await taskRun.engine.workspaces.noteOn(before.commit)
  const said = readAttestation({ tree: before.tree, message, note }, taskRun.engine.digest)
  if (said.is !== 'evidence') throw refuse('INTERNAL', { reason: `commit ${before.commit} has lost its note` })
  const proof = { by: 'evidence', evidence: evidenceId(taskRun.engine, said.evidence) } as const
  const { fact } = mergedOutcome(taskRun, before, proof)
  return { fact, attachments: [{ kind: 'evidence', id: proof.evidence, evidence: said.evidence }] }
}

interface Combination {
  readonly head: CommitId
  readonly tree: TreeId
}

interface ProvedTree {
  readonly proof: Proof
  /** Null: a person vouches for the tree. */
  readonly evidence: Evidence | null
}

/**
 * Produces the evidence of the tree, sealed with who cleared its findings. The commit holds its id, so nothing can be
 * added later.
 */
async function proveCombined(
  taskRun: TaskRun,
  effect: Merge,
  { head, tree, moved }: Combination & { readonly moved: boolean },
): Promise<ProvedTree | { error: string }> {
  const { proof } = effect
  if (proof.by === 'person') return { proof, evidence: null }
  const kept = await taskRun.engine.store.builds.attachments(taskRun.build, 'evidence', taskRun.task.id)
  const verified = kept.find(({ id }) => id === proof.evidence)?.evidence
  if (verified === undefined) throw refuse('INTERNAL', { reason: `evidence ${proof.evidence} is not in the store` })
  if (!moved) return seal(taskRun, effect, verified)
  // Probes are made once for a patch, on the tree where it was first verified.
  const { evidence, judgement } = await prove(taskRun, tree, head, verified.probes ?? 'none')
  const { verdict } = judgement
  if (verdict.is !== 'green') return { error: `after merging with what came meanwhile: ${verdict.error}` }
  const fresh = unseen(evidence.findings, verified.findings)
  if (fresh.length > 0)
    return {
      error: `after merging with what came meanwhile, this needs a second look: ${fresh.map(findingText).join('; ')}`,
    }
  return seal(taskRun, effect, evidence)
}

/** A merge changes line numbers, but not the findings themselves. */
function unseen(found: readonly Finding[], known: readonly Finding[]): Finding[] {
  const key = ({ rule, path, what }: Finding): string => `${rule} ${path} ${what}`
  const seen = new Set(known.map(key))
  return found.filter((finding) => finding.rule !== 'manyFiles' && !seen.has(key(finding)))
}

async function seal(taskRun: TaskRun, { resolution }: Merge, evidence: Evidence): Promise<ProvedTree> {
  const cleared = needsSecondLook(evidence) ? await clearance(taskRun, resolution) : null
  const whole: Evidence = { ...evidence, cleared, resolution }
  return { proof: { by: 'evidence', evidence: evidenceId(taskRun.engine, whole) }, evidence: whole }
}

async function clearance(
  { engine, build, task, attempt }: TaskRun,
  resolution: Merge['resolution'],
): Promise<Clearance> {
  if (resolution !== null) return { by: resolution.by, reasons: [resolution.text] }
  const reviews = await engine.store.builds.attachments(build, 'review', task.id)
  const review = reviews.find((kept) => kept.attempt === attempt.number && kept.by === 'agent')
  if (review?.decision !== 'approve') throw refuse('INTERNAL', { reason: `nobody cleared the findings of ${task.id}` })
  return { by: `reviewer ${review.agent ?? engine.agents.reviewer.name}`, reasons: review.reasons }
}

async function landProved(
  taskRun: TaskRun,
  effect: Merge,
  proved: ProvedTree,
  { head, tree }: Combination,
): Promise<Version | 'lost' | null> {
  const { engine, build, task, attempt } = taskRun
  const { proof, evidence } = proved
  const message = commitMessage({
    build,
    task: task.id,
    taskName: attempt.taskName,
    attempt: attempt.number,
    iteration: attempt.iteration,
    evidence: proof.by === 'evidence' ? proof.evidence : null,
    resolution: effect.resolution?.text ?? null,
  })
  // The note travels with the commit, so that anybody with the repository can run the checks again without our store.
  const note = JSON.stringify({ task: task.id, tree, proof, evidence, resolution: effect.resolution })
  const mark = { attempt: attempt.number, iteration: attempt.iteration }
  const landing = { build, onto: head, tree, message, note, proof, task: task.id, mark }
  const attachments =
    proof.by === 'person' || evidence === null ? [] : [{ kind: 'evidence', id: proof.evidence, evidence } as const]
  return commitToBranch(engine, { ...landing, attachments }, leaseOn(engine, task))
}

function mergedOutcome({ task, attempt }: TaskRun, { commit, tree }: Version, proof: Proof): EffectOutcome {
  return { fact: { type: 'merged', taskId: task.id, attempt: attempt.number, commit, tree, proof } }
}

/** The next attempt starts from the branch as it is now, with this work on top. */
async function refuseMerge(taskRun: TaskRun, error: string, combined: Combination | null): Promise<EffectOutcome> {
  const workspace = await taskRun.engine.workspaces.find(taskRun.build, taskRun.task.id)
  if (workspace !== null && combined !== null)
    await taskRun.engine.workspaces.rebase(workspace, combined.head, combined.tree)
  return refusedOutcome(taskRun, error, combined?.tree ?? null)
}

function refusedOutcome({ task, attempt }: TaskRun, error: string, tree: TreeId | null): EffectOutcome {
  return { fact: { type: 'mergeRefused', taskId: task.id, attempt: attempt.number, error, tree } }
}
