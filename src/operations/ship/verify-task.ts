// `ralph verify --task`: runs the checks on HEAD, in a clean clone, for a task that was reported done outside a build.
import type { Config } from '../../config/settings/config.ts'
import { afterReport } from '../../core/attempt/reported-on-head.ts'
import { isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { ReportFact } from '../../core/fact/fact.ts'
import { installRule } from '../../core/findings/install-scripts.ts'
import { isReported } from '../../core/task/reported.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildId, CommitId, TaskId } from '../../core/values/id.ts'
import { newEngineMemory } from '../../engine/memory.ts'
import { wantedChecks } from '../../engine/verify/check-runs.ts'
import { setupFor } from '../../engine/verify/install.ts'
import { judgeTask } from '../../engine/verify/reported.ts'
import { plainGit } from '../builds/plain-git.ts'
import type { BuildContext } from '../builds/builds.ts'
import { type CleanClone, runRecipe } from './clean-clone.ts'

type Stores = Pick<BuildContext, 'store' | 'scope'>

/** How a done task is verified: by its report, or by a commit that Ralph made. Refuses every other task. */
export async function taskToVerify(
  { store, scope }: Stores,
  id: TaskId,
): Promise<{ task: Task; commit: string | null }> {
  const task = await store.tasks.find(scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  if (task.status !== 'done') throw refuse('TASK_NOT_DONE', { id, status: task.status })
  const commit = task.reportedDone === null ? task.result?.commit : null
  if (commit === undefined) throw refuse('TASK_UNREPORTED', { id })
  return { task, commit: commit === null ? null : String(commit) }
}

/** Runs the checks again where the task was verified before; then its row stays as it is. */
export async function verifyReportedTask(
  { store, scope }: Stores,
  cleanClone: CleanClone,
  config: Config,
  task: Task,
  signal: AbortSignal,
): Promise<ReportFact> {
  const { workspaces } = cleanClone
  const commit = (await plainGit(cleanClone.origin, 'rev-parse', '--verify', 'HEAD')) as CommitId
  await cleanClone.bring([commit])
  const tree = await workspaces.treeOf(commit)
  const setup = await setupFor({ config, workspaces, memory: newEngineMemory() }, tree)
  const installScripts = installRule(config.workspace.installScripts, []).scripts
  const recipe = { setup, installScripts, checks: wantedChecks(config) }
  const runs = await runRecipe(cleanClone, { recipe, tree, changed: [] }, signal)
  signal.throwIfAborted()
  const fact = await judgeTask({ workspaces, config }, task, { commit, tree }, runs)
  if (isReported(task)) await settle({ store, scope }, task, fact)
  return fact
}

async function settle({ store, scope }: Stores, { id, build }: Task, fact: ReportFact): Promise<void> {
  if (build !== null && (await isUnfinished({ store }, build))) await store.builds.settleReport(build, fact)
  else await store.tasks.change(scope, id, (task, now) => afterReport(task, fact, null, now))
}

async function isUnfinished({ store }: Pick<Stores, 'store'>, id: BuildId): Promise<boolean> {
  const build = await store.builds.find(id)
  return build !== null && !isOver(build.state)
}
