// A build after a certain fact, for readers that fold later facts themselves.
import type { BuildId } from '../../core/values/id.ts'
import { type BuildReport, isDriven, reportBuild } from './build-report.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { WireView } from '../contract/view.ts'

/** How often to read again if something happens meanwhile. */
const READS_MAX = 3

export async function readBuildView(context: BuildContext, id: BuildId): Promise<WireView> {
  let seq = await context.store.builds.lastSeq(id)
  for (let reads = 1; ; reads += 1) {
    const view = await viewAt(context, id, seq)
    const after = await context.store.builds.lastSeq(id)
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
    strengths: strengthsOf(report),
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

function strengthsOf({ strengths, findings }: BuildReport): WireView['strengths'] {
  const byTask = new Map(findings.map((one) => [one.task, one.findings]))
  return [...strengths].map(([taskId, { strength, sentence }]) => {
    const found = (byTask.get(taskId) ?? []).map((finding) => ({ ...finding }))
    return { taskId, strength, sentence, findings: found }
  })
}
