// One worker of a build: claims, runs and settles tasks until there is nothing left that it could do.
import { firstAttempt } from '../core/attempt/attempt.ts'
import type { AgentId, BuildId } from '../core/values/id.ts'
import type { Task } from '../core/task/task.ts'
import type { Claim } from '../store/store.ts'
import { giveBack, LEASE_SECONDS, leaseOn, releaseFolder } from './claimed-task.ts'
import { type Control, obeyOperator } from './control.ts'
import { rejectUnproved } from './verify/landing.ts'
import { verifyReported } from './verify/reported.ts'
import { keepLease } from './lease-renewal.ts'
import { lostLeases, takerOf } from './lost-leases.ts'
import { mirrorDebounced } from './debounced-mirror.ts'
import { planFirst } from './plan-build.ts'
import { freeDeadLoops, LOOK_FOR_THE_DEAD_MS } from './recover.ts'
import { runAttempt } from './run-attempt.ts'
import type { Loop, EngineDeps } from './deps.ts'
import type { Stop, StopSwitch } from './stop.ts'

/** One piece of work, or one wait for others; null: continue with the next. */
export type Turn = (loop: Loop, stops: StopSwitch, control: Control) => Promise<Stop | null>

export async function runLoop(
  engine: EngineDeps,
  build: BuildId,
  agentId: AgentId,
  stops: StopSwitch,
  turn: Turn = engineClaims(),
): Promise<Stop> {
  const loop: Loop = { engine, build, agentId }
  const control = await obeyOperator(loop, stops)
  try {
    const unplanned = await planFirst(loop, stops, control)
    if (unplanned !== null) {
      // What stops the planner of this loop would also stop that of every other loop.
      stops.ask(unplanned)
      return unplanned
    }
    for (;;) {
      const said = (await engine.progress?.refresh()) ?? null
      const stop = stops.asked() ?? said
      if (stop !== null && !(await hasWorkLeft(loop, stop))) return stop
      const ended = await turn(loop, stops, control)
      if (ended !== null && !(await hasWorkLeft(loop, ended))) return (await engine.progress?.close(ended)) ?? ended
    }
  } finally {
    await control.end()
  }
}

/** Whether there is work left although everything seems to be done. */
async function hasWorkLeft({ engine, build }: Loop, { reason }: Stop): Promise<boolean> {
  const isComplete = reason === 'AllTasksComplete' || reason === 'RalphDoneMarker'
  return isComplete && (await rejectUnproved(engine, build)).length > 0
}

function engineClaims(): Turn {
  const lost = lostLeases()
  return async (loop, stops, control) => {
    const { engine, build, agentId } = loop
    const seen = control.seen()
    await verifyReported(loop, stops.signal)
    const claim = await engine.store.tasks.claim(engine.scope, { agent: agentId, leaseSeconds: LEASE_SECONDS, build })
    if (claim === null) return whenNothingIsReady(loop, control, seen)
    const { stop, takenBy } = await work(loop, claim, stops, control)
    if (takenBy !== null) return lost.afterLoss(loop, takenBy, stops)
    lost.afterWork()
    return stop
  }
}

interface WorkEnd {
  /** Null: continue with the next task. */
  readonly stop: Stop | null
  /** The other loop that has taken the task meanwhile. */
  readonly takenBy: string | null
}

export async function work(loop: Loop, { task }: Claim, stops: StopSwitch, control: Control): Promise<WorkEnd> {
  const { store, config } = loop.engine
  const lease = leaseOn(loop.engine, task)
  const keeper = keepLease(loop, lease, LEASE_SECONDS)
  const stopListening = control.onChange(keeper.look)
  try {
    const saved = await store.builds.attempt(loop.build, task.id)
    const attempt = saved ?? firstAttempt(task, loop.build, config.limits)
    const end = await runAttempt(loop, { lease, attempt, stops, lost: keeper.lost })
    if (end.why === 'stopped') await giveBack(loop.engine, task)
    // If somebody wrote past the engine, the task becomes open again before anything that depends on it begins.
    if (end.why === 'leaseLost') await rejectUnproved(loop.engine, loop.build)
    // A loop that loses its task to a human who settled it was the last user of the folder.
    const left = end.why === 'leaseLost' ? await store.builds.attempt(loop.build, task.id) : null
    const rested = end.why === 'rested' ? end.attempt : left
    if (rested !== null) await releaseFolder(loop.engine, loop.build, rested)
    // This only shows the user in their own repository what is already safe in ours.
    if (end.why === 'rested') mirrorDebounced(loop.engine, loop.build)
    const takenBy = end.why === 'leaseLost' ? await takerOf(loop, task.id) : null
    return { stop: end.why === 'stopped' ? end.stop : null, takenBy }
  } finally {
    stopListening()
    keeper.end()
  }
}

/** Everything is settled, or a human is needed, or others work on the rest: then this waits for a change. */
async function whenNothingIsReady({ engine, build }: Loop, control: Control, seen: number): Promise<Stop | null> {
  const tasks = await engine.store.tasks.list(engine.scope, { statuses: ['open', 'active', 'waiting'] })
  if (tasks.length === 0) return { reason: 'AllTasksComplete' }
  const leases = tasks.filter((task) => task.status === 'active').map((task) => task.leaseExpiresAt ?? 0)
  if (leases.length > 0) {
    await freeDeadLoops(engine, build)
    // The store does not change when a loop dies or its lease ends, so nobody notifies us.
    await control.changed(seen, Math.max(1, Math.min(LOOK_FOR_THE_DEAD_MS, Math.min(...leases) - engine.now())))
    return null
  }
  // Another loop may have finished what they waited for since we asked.
  if (tasks.some((task) => isReady(task, tasks))) return null
  if (tasks.some((task) => task.status === 'waiting')) return { reason: 'HumanNeeded' }
  return { reason: 'Failed', detail: `${tasks.length} tasks are open and none of them can start.` }
}

/** `unsettled`: every task that could still block another one. */
function isReady(task: Task, unsettled: readonly Task[]): boolean {
  return task.status === 'open' && !unsettled.some(({ id }) => task.deps.includes(id))
}
