// Reverts a merged patch by a commit of its own, which is verified like any other, and opens the task again.
import type { Attempt } from '../../core/attempt/attempt.ts'
import { revertMessage } from '../../core/builds/commit-message.ts'
import { refuse } from '../../core/error/error.ts'
import type { Evidence } from '../../core/evidence/evidence.ts'
import type { BuildId, CommitId, TaskId } from '../../core/values/id.ts'
import type { Task } from '../../core/task/task.ts'
import { commitToBranch, soundBranch } from '../../engine/verify/landing.ts'
import { evidenceId, prove } from '../../engine/verify/proof.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { Version } from '../../workspace/workspace.ts'
import { type BuildContext, findBuild } from './builds.ts'

export interface Revertible {
  readonly build: BuildId
  readonly attempt: Attempt
  readonly commit: CommitId
}

export interface RevertResult extends Version {
  readonly task: TaskId
  readonly reverted: CommitId
}

/** Other loops merge too; in each round the branch has really moved. */
const ROUNDS_MAX = 20

/** The named task, or the one that was merged last. */
export async function findMergedTask(context: BuildContext, named?: TaskId, id?: BuildId): Promise<Revertible> {
  const { id: build, state } = await findBuild(context, id)
  if (state === 'aborted') throw refuse('BUILD_STATE', { id: build, state, done: 'changed' })
  const attempts = await context.store.builds.attempts(build)
  if (named !== undefined && !attempts.has(named)) throw refuse('TASK_NOT_FOUND', { id: named })
  const ids = named === undefined ? [...attempts.keys()] : [named]
  const tasks = await context.store.tasks.list(context.scope, { ids })
  // A done task does not change any more, so its last change was the merge.
  for (const { id } of tasks.toSorted((one, other) => other.updatedAt - one.updatedAt)) {
    const attempt = attempts.get(id)
    if (attempt?.phase.at === 'settled' && attempt.phase.as.is === 'done')
      return { build, attempt, commit: attempt.phase.as.commit }
  }
  throw refuse('NOTHING_MERGED', { what: named === undefined ? `build ${build}` : `task '${named}'` })
}

export async function revertTask(
  context: BuildContext,
  engine: EngineDeps,
  { build, attempt, commit }: Revertible,
  signal: AbortSignal,
): Promise<RevertResult> {
  const task = await engine.store.tasks.find(engine.scope, attempt.task)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id: attempt.task })
  const landed = await landRevert(context, engine, { build, attempt, commit }, task, signal)
  await context.store.builds.tell(build, { type: 'taskReverted', taskId: task.id, by: context.person, commit })
  await reopen(context, build)
  await engine.workspaces.mirror(build)
  return { task: task.id, reverted: commit, ...landed }
}

async function landRevert(
  context: BuildContext,
  engine: EngineDeps,
  { build, attempt, commit }: Revertible,
  task: Task,
  signal: AbortSignal,
): Promise<Version> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await soundBranch(engine, build)
    const undone = await engine.workspaces.undo(build, commit)
    if (undone.is === 'conflict')
      throw refuse('REVERT_CONFLICT', { commit: commit.slice(0, 10), paths: undone.paths.join(', ') })
    // The revert was committed before, and the process ended before it was recorded.
    if (!undone.moved) return engine.workspaces.head(build)
    // The files that the task was to make have to be gone.
    const job = { engine, build, signal, task: { ...task, filesExpected: [] } }
    const { evidence, judgement } = await prove(job, undone.tree, undone.head, 'none')
    if (judgement.verdict.is !== 'green')
      throw refuse('REVERT_RED', { commit: commit.slice(0, 10), error: judgement.verdict.error })
    const whole = withClearance(evidence, context.person, commit)
    const id = evidenceId(engine, whole)
    const proof = { by: 'evidence', evidence: id } as const
    const about = { build, task: task.id, taskName: attempt.taskName, evidence: id, commit, person: context.person }
    const note = JSON.stringify({ task: task.id, tree: undone.tree, proof, evidence: whole, resolution: null })
    const { head: onto, tree } = undone
    const landing = { build, onto, tree, message: revertMessage(about), note, proof, task: task.id, mark: null }
    const landed = await commitToBranch(engine, landing, null)
    if (landed !== null && landed !== 'lost') return landed
  }
  throw refuse('BRANCH_BUSY', { build })
}

/** The person who reverts a patch vouches for what goes with it: its tests, its settings. */
function withClearance(evidence: Evidence, person: string, commit: CommitId): Evidence {
  if (evidence.findings.length === 0) return evidence
  return { ...evidence, cleared: { by: person, reasons: [`the commit ${commit} was reverted`] } }
}

/** A complete build has work again. */
export async function reopen({ store, person }: BuildContext, build: BuildId): Promise<void> {
  await store.builds.move(build, ['complete'], 'running', { type: 'buildResumed', by: person })
}
