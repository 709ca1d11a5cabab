// A build for products that step through it: from the store, with the last patch from the repository.
import { standingOf } from '../../core/builds/build.ts'
import type { BoundedMap } from '../../core/values/bounded-map.ts'
import { RalphError } from '../../core/error/error.ts'
import { checkReport, type Evidence, validationReport } from '../../core/evidence/evidence.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { Seed } from '../../core/plan/seed.ts'
import type { Task } from '../../core/task/task.ts'
import { cutToLength } from '../../core/values/text-bounds.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { factsOf } from '../builds/build-facts.ts'
import { type BuildHistory, NO_HISTORY, withFacts } from './build-history.ts'
import { type BuildReport, reportBuild } from './build-report.ts'
import type { BuildContext, OpenWorkspaces } from '../builds/builds.ts'
import type { WireBuildState, WireTask } from '../contract/build-state.ts'
import { diffTask, type TaskDiff } from './task-diff.ts'

/** Characters of a diff on the wire. */
const DIFF_LENGTH_MAX = 1024 * 1024

export interface LastWork {
  readonly history: BuildHistory
  readonly patch: TaskDiff | null
}

export interface StateSource {
  readonly context: BuildContext
  readonly openWorkspaces: OpenWorkspaces
  readonly histories: HistoryCache
}

export async function readBuildState(
  { context, openWorkspaces, histories }: StateSource,
  id: BuildId,
): Promise<WireBuildState> {
  const report = await reportBuild(context, id)
  const history = await readHistory(context, histories, id)
  return buildStateOf(report, {
    history,
    patch:
      history.patched === null
        ? null
        : await patchOf(context, () => openWorkspaces(report.frozen), id, history.patched),
  })
}

interface ReadSoFar {
  readonly seq: number
  readonly history: BuildHistory
}

/** Facts never change, so a reader that asks again needs only those that came since. */
export type HistoryCache = BoundedMap<BuildId, ReadSoFar>

export const BUILDS_KEPT = 50

async function readHistory(context: BuildContext, builds: HistoryCache, id: BuildId): Promise<BuildHistory> {
  let { seq, history } = builds.get(id) ?? { seq: 0, history: NO_HISTORY }
  for await (const facts of factsOf(context, id, seq)) {
    history = withFacts(history, facts)
    seq = facts.at(-1)?.seq ?? seq
  }
  builds.delete(id)
  builds.set(id, { seq, history })
  return history
}

export function buildStateOf(report: BuildReport, { history, patch }: LastWork): WireBuildState {
  const { build, view, planning, frozen, lastEvidence: evidence } = report
  return {
    build_id: build.id,
    project_id: build.idea,
    phase: view.phase,
    current_task_id: view.currentTaskId,
    ...documentsOf(frozen.seed),
    build_graph:
      planning === null ? { tasks: report.tasks.map((task) => wireTask(task, report)), notes: history.notes } : null,
    last_patch: patch === null ? null : wirePatch(patch),
    last_validation: evidence === null ? null : wireValidation(evidence),
    last_checks: evidence === null ? null : { ...checkReport(evidence.checks) },
    last_review: history.review,
    history: [...history.entries],
  }
}

type Documents = Pick<WireBuildState, 'brief' | 'build_plan' | 'product_doc'>

function documentsOf(seed: Seed | null): Documents {
  const none: Documents = { brief: {}, build_plan: {}, product_doc: {} }
  switch (seed?.from) {
    case 'documents':
      return { brief: { ...seed.brief }, build_plan: { ...seed.build_plan }, product_doc: { ...seed.product_doc } }
    case 'goal':
      return { ...none, brief: { goal: seed.text } }
    case 'spec':
      return { ...none, product_doc: { path: seed.path, text: seed.text } }
    default:
      return none
  }
}

function wireTask(task: Task, { attempts }: BuildReport): WireTask {
  return {
    id: task.id,
    title: task.title,
    goal: task.description ?? task.title,
    acceptance: [...task.acceptance],
    depends_on: [...task.deps],
    files_expected: [...task.filesExpected],
    status: standingOf(task, attempts.get(task.id) ?? null, 'finished').stepTask ?? 'todo',
    type: task.type,
  }
}

function wirePatch({ task, diff, files, isWhole, commit }: TaskDiff): WireBuildState['last_patch'] {
  const isCut = !isWhole || diff.length > DIFF_LENGTH_MAX
  const merged = commit === null ? 'not merged yet' : `merged as ${commit}`
  return {
    task_id: task,
    diff: cutToLength(diff, DIFF_LENGTH_MAX),
    touched_files: files.map(({ path }) => path),
    notes: isCut ? `${merged}; the diff is longer than 1 MiB and was cut` : merged,
  }
}

function wireValidation({ checks }: Evidence): WireBuildState['last_validation'] {
  const report = validationReport(checks)
  return report === null ? null : { ...report, errors: [...report.errors] }
}

/** A build whose work was cleaned up has none to show. */
async function patchOf(
  context: BuildContext,
  openWorkspaces: () => Promise<Workspaces>,
  build: BuildId,
  task: TaskId,
): Promise<TaskDiff | null> {
  try {
    return await diffTask(context, openWorkspaces, task, build)
  } catch (error) {
    if (error instanceof RalphError) return null
    throw error
  }
}
