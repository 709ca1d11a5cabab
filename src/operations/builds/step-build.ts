// One step of a build: performs effects until the phase that people see changes.
import { type RalphError, refuse } from '../../core/error/error.ts'
import type { AgentId, BuildId } from '../../core/values/id.ts'
import { isPlanHeld } from '../../core/builds/planning.ts'
import { isFree } from '../../core/task/task.ts'
import { checkBaseline } from '../../engine/verify/baseline.ts'
import { verifyReported } from '../../engine/verify/reported.ts'
import { watchingCheckout } from '../../engine/checkout-watch.ts'
import { rejectUnproved, soundBranch } from '../../engine/verify/landing.ts'
import { hasPlan, planBuild } from '../../engine/plan-build.ts'
import { freeDeadPlanner } from '../../engine/recover.ts'
import { isKnownGone } from '../../system/known-gone.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { Stop } from '../../engine/stop.ts'
import { type BuildContext, endBuild } from './builds.ts'
import { type Driver, stepTask, takeTask } from './run-single-task.ts'

/** Two drivers of one build would not know of each other. */
export async function requireUndriven({ store, scope, now }: BuildContext, build: BuildId): Promise<void> {
  await freeDeadPlanner({ store, isKnownGone }, build)
  const [planning] = await store.builds.attachments(build, 'planning')
  if (planning !== undefined && isPlanHeld(planning, now())) throw plannedElsewhere(build)
  const active = await store.tasks.list(scope, { statuses: ['active'] })
  const driven = active.find((task) => task.build === build && !isFree(task, now(), 'loop'))
  if (driven !== undefined) throw refuse('BUILD_DRIVEN', { id: build, what: `task '${driven.id}'` })
}

/** Why nothing more could be done; null: there may be more steps. */
export async function stepBuild(
  context: BuildContext,
  engine: EngineDeps,
  build: BuildId,
  agentId: AgentId,
  signal: AbortSignal,
): Promise<Stop | null> {
  const driver = { engine, build, agentId }
  await soundBranch(engine, build)
  // In a build that has begun, only the steps that need the baseline run it.
  const isFirst = (await engine.store.spending.list(build)).length === 0
  const unable = isFirst ? await checkBaseline(engine, build, signal).catch(unlessStopped) : null
  if (signal.aborted) return { reason: 'UserCancelled' }
  if (unable !== null) return unable
  if (!(await hasPlan(engine, build))) return stepPlanning(driver, signal)
  await verifyReported(driver, signal).catch(unlessStopped)
  if (signal.aborted) return { reason: 'UserCancelled' }
  const claim = await takeTask(driver)
  if (claim !== null) {
    const end = await watchingCheckout(engine, build, (watched) =>
      stepTask({ ...driver, engine: watched }, claim, signal),
    ).catch(unlessStopped)
    if (signal.aborted) return { reason: 'UserCancelled' }
    if (end?.why === 'stopped' && end.stop.reason !== 'SingleIterationComplete') return end.stop
  }
  return endOfStep(context, engine, build, claim === null ? 'nothing-ready' : 'stepped')

  function unlessStopped(error: unknown): null {
    if (signal.aborted) return null
    throw error
  }
}

/** Planning is one step. */
async function stepPlanning(driver: Driver, signal: AbortSignal): Promise<Stop | null> {
  const turn = await planBuild(driver, { signal, asking: signal, asked: () => null })
  if (turn.is === 'held') throw plannedElsewhere(driver.build)
  return turn.is === 'stopped' ? turn.stop : null
}

function plannedElsewhere(id: BuildId): RalphError {
  return refuse('BUILD_DRIVEN', { id, what: 'the plan' })
}

async function endOfStep(
  context: BuildContext,
  engine: EngineDeps,
  build: BuildId,
  how: 'nothing-ready' | 'stepped',
): Promise<Stop | null> {
  if ((await rejectUnproved(engine, build)).length > 0) return null
  const left = await context.store.tasks.list(context.scope, { statuses: ['open', 'active', 'waiting'] })
  if (left.length === 0) {
    const stop: Stop = { reason: 'AllTasksComplete' }
    await endBuild(context, build, stop)
    return stop
  }
  if (how === 'stepped') return null
  if (left.some(({ status }) => status === 'waiting')) return { reason: 'HumanNeeded' }
  return { reason: 'Failed', detail: `${left.length} tasks are open and none of them can start.` }
}
