// Everything known about one task in a build, for readers who want to see why it can be trusted.
import { type CheckRun, isGreen } from '../../core/evidence/evidence.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { EvidenceRecord, IterationRecord } from '../../core/builds/attachment.ts'
import { rerunCommand } from '../../core/evidence/rerun.ts'
import { sessionName } from '../../core/session/session-name.ts'
import { cutToLength } from '../../core/values/text-bounds.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { type BuildContext, type FrozenBuild, frozenOf, type OpenWorkspaces } from '../builds/builds.ts'
import type {
  TaskDetail,
  TaskEvidence,
  TaskPatch,
  WireCheckRun,
  WireIteration,
  WireSession,
} from '../contract/task-detail.ts'
import { iterationName, sessionsOf, shownSession } from './sessions.ts'
import { sessionNow } from './running-session.ts'
import { wireProbes } from './wire-probes.ts'
import { diffTask } from './task-diff.ts'

/** Characters of a diff for a reader. */
const DIFF_LENGTH_MAX = 4 * 1024 * 1024

interface Parts {
  readonly context: BuildContext
  readonly openWorkspaces: OpenWorkspaces
}

export async function readTaskDetail(
  { context, openWorkspaces }: Parts,
  build: BuildId,
  task: TaskId,
): Promise<TaskDetail> {
  const { store, scope } = context
  const [found, attempt, iterations, evidence, reviews, frozen, sessions] = await Promise.all([
    store.tasks.find(scope, task),
    store.builds.attempt(build, task),
    store.builds.attachments(build, 'iteration', task),
    store.builds.attachments(build, 'evidence', task),
    store.builds.attachments(build, 'review', task),
    frozenOf(context, build),
    sessionsOf(context, build, task),
  ])
  if (found === null) throw refuse('TASK_NOT_FOUND', { id: task })
  const workspaces = await openWorkspaces(frozen)
  const isActive = attempt !== null && found.status === 'active'
  const now = isActive ? sessionNow(attempt, { when: frozen.config.review.when, evidence }) : null
  const running = now === null ? null : { ...now, id: sessionName({ of: 'task', build, task, ...now }) }
  const isAsked = ({ role, id }: WireSession): boolean => role !== 'implementer' && id !== running?.id
  return {
    folder: (await workspaces.find(build, task))?.folder ?? null,
    running,
    iterations: iterations.map((record) => wireIteration(build, record, frozen)),
    asked: sessions.flatMap(shownSession).filter(isAsked),
    evidence: evidence.map((record) => wireEvidence(record, iterations)),
    reviews: reviews.map(({ kind: _, task: _task, reasons, requiredFixes, ...rest }) => ({
      ...rest,
      reasons: [...reasons],
      requiredFixes: [...requiredFixes],
    })),
  }
}

function wireIteration(
  build: BuildId,
  record: IterationRecord,
  { config }: Pick<FrozenBuild, 'config'>,
): WireIteration {
  const { kind: _, task: _task, transcript: _path, ...rest } = record
  const settings = Object.entries(config.agent).find(([name]) => name === record.agent)?.[1]
  const model = settings !== undefined && 'model' in settings ? settings.model : null
  const id = iterationName(build, record)
  return { ...rest, id, model: model === '' ? null : (model ?? null) }
}

function wireEvidence({ id, evidence }: EvidenceRecord, iterations: readonly IterationRecord[]): TaskEvidence {
  const { tree, at, verdict, notes, findings, cleared, resolution, secondOpinion, probes } = evidence
  const run = (one: CheckRun): WireCheckRun => wireRun(one, rerunCommand(evidence, one.name))
  const bare = (one: CheckRun): WireCheckRun => wireRun(one, null)
  return {
    id,
    attempt: resolution === null ? attemptAt(iterations, at) : null,
    tree,
    at,
    verdict,
    strength: probes?.strength ?? null,
    sentence: probes?.sentence ?? null,
    probes: wireProbes(probes),
    notes: [...notes],
    checks: evidence.checks.map(run),
    baseline: evidence.baseline.map(bare),
    secondOpinion:
      secondOpinion === null ? null : { restored: [...secondOpinion.restored], checks: secondOpinion.checks.map(bare) },
    findings: findings.map((one) => ({ ...one })),
    cleared: cleared === null ? null : { by: cleared.by, reasons: [...cleared.reasons] },
    resolution,
  }
}

/** A task has one session at a time, so evidence belongs to the session that began last. */
function attemptAt(iterations: readonly IterationRecord[], at: number): number | null {
  return iterations.findLast(({ startedAt }) => startedAt <= at)?.attempt ?? null
}

function wireRun(run: CheckRun, rerun: string | null): WireCheckRun {
  const { name, kind, how, exit, durationMs, tests, outputTail, cached } = run
  return { name, kind, isGreen: isGreen(run), how, exit, durationMs, tests, outputTail, cached, rerun }
}

export interface PatchRequest {
  readonly build: BuildId
  readonly task: TaskId
  /** Null: as it is now. */
  readonly session: { readonly attempt: number; readonly iteration: number } | null
}

export async function readTaskPatch({ context, openWorkspaces }: Parts, options: PatchRequest): Promise<TaskPatch> {
  const workspaces = await openWorkspaces(await frozenOf(context, options.build))
  const { diff, files, isWhole, commit } = await patchOf(context, workspaces, options)
  return {
    diff: cutToLength(diff, DIFF_LENGTH_MAX),
    files: files.map((file) => ({ ...file })),
    isWhole: isWhole && diff.length <= DIFF_LENGTH_MAX,
    commit,
  }
}

async function patchOf(context: BuildContext, workspaces: Workspaces, { build, task, session }: PatchRequest) {
  if (session === null) return diffTask(context, async () => workspaces, task, build)
  const { attempt, iteration } = session
  const pin = (await workspaces.pins()).find(
    (one) => one.build === build && one.task === task && one.attempt === attempt && one.iteration === iteration,
  )
  if (pin === undefined) throw refuse('WORK_GONE', { id: task, attempt, iteration })
  const tree = await workspaces.treeOf(pin.commit)
  // For a tree that was merged unchanged, the search would find the branch itself; the evidence knows the real base.
  const proved = (await context.store.builds.attachments(build, 'evidence', task)).find(
    ({ evidence }) => evidence.tree === tree,
  )
  const commit = proved?.evidence.base ?? (await workspaces.baseOf(build, task, tree))
  const base = await workspaces.treeOf(commit)
  return { ...(await workspaces.diff(base, tree)), commit: null }
}
