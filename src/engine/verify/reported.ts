// Tasks that were reported done outside a build. Before a loop takes work, it runs the checks on the head of the build
// branch for them. The store gives no loop a dependant of such a task before.
import { judgeReport } from '../../core/attempt/reported-on-head.ts'
import type { ReportFact } from '../../core/fact/fact.ts'
import { claimOf } from '../../core/task/claim.ts'
import { unmetFiles } from '../../core/task/expected-files.ts'
import type { Task } from '../../core/task/task.ts'
import type { CommitId, TreeId } from '../../core/values/id.ts'
import type { Version, Workspaces } from '../../workspace/workspace.ts'
import type { EngineDeps, Loop } from '../deps.ts'
import { baselineOf } from './check-runs.ts'

/** Repeating it after a crash is safe: the report and the fact are settled in one step. */
export async function verifyReported(
  { engine, build }: Pick<Loop, 'engine' | 'build'>,
  signal: AbortSignal,
): Promise<void> {
  const { store, scope, workspaces, watcher, config } = engine
  if ((await store.tasks.reported(scope)).length === 0) return
  // Loops of one process would otherwise run the same checks beside each other.
  await engine.memory.reports(async () => {
    const reported = await store.tasks.reported(scope)
    if (reported.length === 0) return
    const head = await workspaces.head(build)
    const runs = await baselineOf({ engine, build, signal }, head.tree)
    for (const task of reported) {
      const fact = await judgeTask({ workspaces, config }, task, head, runs)
      if (await store.builds.settleReport(build, fact)) watcher.fact(fact)
    }
  })
}

export async function judgeTask(
  { workspaces, config }: Pick<EngineDeps, 'workspaces' | 'config'>,
  task: Task,
  { commit, tree }: Version,
  runs: Parameters<typeof judgeReport>[0]['runs'],
): Promise<ReportFact> {
  const unmet = await unmetIn(workspaces, tree, task.filesExpected)
  const elsewhere = await commitElsewhere(workspaces, task, commit)
  const requireTests = config.verify.requireTests ? 'required' : 'not-required'
  return judgeReport({ taskId: task.id, claim: claimOf(task), commit, runs, elsewhere, unmet, requireTests })
}

/** A commit that nobody knows says nothing: it may have been rebased or squashed. */
async function commitElsewhere(workspaces: Workspaces, task: Task, head: CommitId): Promise<string | null> {
  const named = task.reportedDone?.result?.commit
  if (typeof named !== 'string' || named === '') return null
  return (await workspaces.holds(head, named)) === false ? named : null
}

/** Nothing says what the work changed, so any file of the tree may match a pattern. */
async function unmetIn(workspaces: Workspaces, tree: TreeId, expected: readonly string[]): Promise<string[]> {
  if (expected.length === 0) return []
  const absent = await workspaces.missing(tree, expected)
  if (absent.length === 0) return []
  return unmetFiles(expected, (path) => !absent.includes(path), await workspaces.files(tree), 'a file')
}
