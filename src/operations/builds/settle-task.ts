// Drives a human's fix to its end. Either this process or a running loop gets the task first.
import type { Attempt } from '../../core/attempt/attempt.ts'
import { refuse } from '../../core/error/error.ts'
import type { AgentId, BuildId, TaskId } from '../../core/values/id.ts'
import { rejectUnproved } from '../../engine/verify/landing.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { stopSwitch } from '../../engine/stop.ts'
import { changeWithin } from './build-facts.ts'
import { type BuildContext, endBuild } from './builds.ts'
import { runSingleTask, takeTask } from './run-single-task.ts'

/** While a loop has the task, a change in the store tells its result, but nobody tells that the loop died. */
const LOOK_AGAIN_MS = 2_000

/** Returns the attempt when it rests, or when `signal` is aborted. */
export async function settleTask(
  context: BuildContext,
  engine: EngineDeps,
  build: BuildId,
  task: TaskId,
  agentId: AgentId,
  signal: AbortSignal,
): Promise<Attempt> {
  const driver = { engine, build, agentId }
  const stops = stopSwitch({ iterations: 0, whenSpent: { reason: 'HumanNeeded' }, until: null, now: context.now })
  signal.addEventListener('abort', () => stops.demand({ reason: 'UserCancelled' }))
  for (;;) {
    const attempt = await attemptOf(context, build, task)
    if (isAtRest(attempt) || signal.aborted) {
      await endIfAllIsSettled(context, engine, build)
      return attempt
    }
    const claim = await takeTask(driver, task)
    if (claim === null) await changeWithin(context, LOOK_AGAIN_MS, signal)
    else await runSingleTask(driver, claim, stops).catch(unlessStopped)
  }

  function unlessStopped(error: unknown): void {
    if (!signal.aborted) throw error
  }
}

function isAtRest({ phase }: Attempt): boolean {
  return phase.at === 'settled' || phase.at === 'waiting' || phase.at === 'working'
}

async function attemptOf({ store }: BuildContext, build: BuildId, task: TaskId): Promise<Attempt> {
  const attempt = await store.builds.attempt(build, task)
  if (attempt === null) throw refuse('ATTEMPT_NOT_FOUND', { id: task })
  return attempt
}

/** After the last task, no loop is needed to complete the build. */
async function endIfAllIsSettled(context: BuildContext, engine: EngineDeps, build: BuildId): Promise<void> {
  await rejectUnproved(engine, build)
  const left = await context.store.tasks.list(context.scope, { statuses: ['open', 'active', 'waiting'] })
  if (left.length === 0) await endBuild(context, build, { reason: 'AllTasksComplete' })
}
