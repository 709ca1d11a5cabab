// What a task changed: its merged commit, or its work so far.
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, CommitId, TaskId, TreeId } from '../../core/values/id.ts'
import type { Patch, Workspaces } from '../../workspace/workspace.ts'
import { type BuildContext, findBuild } from '../builds/builds.ts'

export interface TaskDiff extends Patch {
  readonly task: TaskId
  /** Null where it is not merged. */
  readonly commit: CommitId | null
  /** The task's folder, kept for a human; null where it has none. */
  readonly folder: string | null
}

/** The named task; else the one that waits, the one that is worked on, or the last one that was merged. */
export async function diffTask(
  context: BuildContext,
  openWorkspaces: (build: Build) => Promise<Workspaces>,
  named?: TaskId,
  id?: BuildId,
): Promise<TaskDiff> {
  const found = await findBuild(context, id)
  const build = found.id
  const attempt = await wantedAttempt(context, await context.store.builds.attempts(build), named)
  const { task, phase } = attempt
  const merged = phase.at === 'settled' && phase.as.is === 'done' ? phase.as : null
  const tree = merged?.tree ?? attempt.tree
  if (tree === null) return { task, commit: null, folder: null, diff: '', files: [], isWhole: true }
  const workspaces = await openWorkspaces(found)
  const base = (await provedBase(context, attempt, tree)) ?? (await workspaces.baseOf(build, task, tree))
  const patch = await workspaces.diff(await workspaces.treeOf(base), tree)
  const folder = merged === null ? ((await workspaces.find(build, task))?.folder ?? null) : null
  return { task, commit: merged?.commit ?? null, folder, ...patch }
}

async function wantedAttempt(
  { store, scope }: BuildContext,
  attempts: ReadonlyMap<TaskId, Attempt>,
  named: TaskId | undefined,
): Promise<Attempt> {
  if (named !== undefined) {
    const attempt = attempts.get(named)
    if (attempt !== undefined) return attempt
    throw refuse((await store.tasks.find(scope, named)) === null ? 'TASK_NOT_FOUND' : 'ATTEMPT_NOT_FOUND', {
      id: named,
    })
  }
  const tasks = await store.tasks.list(scope, { ids: [...attempts.keys()] })
  // A done task does not change any more, so its last change was the merge.
  const latest = tasks.toSorted((one, other) => other.updatedAt - one.updatedAt)
  const all = latest.flatMap(({ id }) => attempts.get(id) ?? [])
  const found =
    all.find(({ phase }) => phase.at === 'waiting') ??
    all.find(({ phase }) => phase.at !== 'settled') ??
    all.find(({ phase }) => phase.at === 'settled' && phase.as.is === 'done')
  if (found === undefined) throw refuse('NO_ATTEMPTS')
  return found
}

/** The evidence knows the very base of the merged tree. */
async function provedBase(
  { store }: BuildContext,
  { build, task, phase }: Attempt,
  tree: TreeId,
): Promise<CommitId | null> {
  if (phase.at !== 'settled' || phase.as.is !== 'done') return null
  const kept = await store.builds.attachments(build, 'evidence', task)
  return kept.findLast(({ evidence }) => evidence.tree === tree)?.evidence.base ?? null
}
