// A build after a certain fact, for readers that fold later facts themselves.
import type { BuildId } from '../../core/values/id.ts'
import { isDriven, reportBuild } from './build-report.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { WireView } from '../contract/view.ts'

/** How often to read again if something happens meanwhile. */
const READS_MAX = 3

export async function readBuildView(context: BuildContext, id: BuildId): Promise<WireView> {
  let seq = await context.store.builds.lastSeq(id)
  for (let reads = 1; ; reads += 1) {
    const view = await viewAt(context, id, seq)
    const after = await lastSeq(context, id, seq)
    // A fact that is already in the view does not fit when it is folded again; then the reader asks again.
    if (after === seq || reads === READS_MAX) return view
    seq = after
  }
}

async function viewAt(context: BuildContext, id: BuildId, seq: number): Promise<WireView> {
  const report = await reportBuild(context, id)
  const { build, name, frozen, tasks, attempts, spent, sessions, planning, now } = report
  const { limits } = frozen.config
  return {
    seq,
    build,
    name,
    limits: { attempts: limits.attempts, interventions: limits.interventions, iterations: limits.iterations },
    tasks: tasks.map((task) => ({ ...task, deps: [...task.deps] })),
    removed: [...report.removed],
    attempts: [...attempts.values()].map((attempt) => ({ ...attempt, phase: { ...attempt.phase } })),
    interventions: spent.interventions,
    spent,
    isDriven: isDriven(report),
    isPlanned: planning === null,
    plannings: Math.max(
      planning?.attempt ?? 0,
      ...sessions.map(({ role, attempt }) => (role === 'planner' ? attempt : 0)),
    ),
    now,
  }
}

/** Facts are numbered without gaps, so a binary search finds the last one in a few dozen reads. */
async function lastSeq({ store }: BuildContext, id: BuildId, known: number): Promise<number> {
  const hasMoreThan = async (seq: number): Promise<boolean> => (await store.builds.facts(id, seq, 1)).length > 0
  if (!(await hasMoreThan(known))) return known
  let [low, step] = [known, 1]
  while (await hasMoreThan(low + step)) [low, step] = [low + step, step * 2]
  let high = low + step
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await hasMoreThan(middle)) low = middle
    else high = middle
  }
  return high
}
