// One task driven by hand, beside the loops: a step, or a human's fix on its way into the branch.
import { type Attempt, firstAttempt } from '../core/attempt.ts'
import { standing, type StepPhase } from '../core/build.ts'
import type { AgentId, BuildId, TaskId } from '../core/id.ts'
import { released, type Task } from '../core/task.ts'
import { keepLease } from '../engine/lease-keeper.ts'
import { type AttemptEnd, runAttempt } from '../engine/run-attempt.ts'
import type { Loop, Shop } from '../engine/shop.ts'
import { oneEffect, type StopSwitch } from '../engine/stop.ts'
import type { Claim } from '../store/store.ts'

const LEASE_SECONDS = 60

export interface Driver {
  readonly shop: Shop
  readonly build: BuildId
  readonly agentId: AgentId
}

/** Takes the named task, or the best one; null where there is none to take. */
export function takeTask({ shop, build, agentId }: Driver, id?: TaskId): Promise<Claim | null> {
  const request = { agent: agentId, leaseSeconds: LEASE_SECONDS, build }
  return shop.store.tasks.claim(shop.scope, id === undefined ? request : { ...request, id })
}

/** Until it rests or is to stop. */
export function driveTask(driver: Driver, { task }: Claim, stops: StopSwitch): Promise<AttemptEnd> {
  return holding(driver, task, async (attempt, lost) =>
    runAttempt(driver, { task, lease: leaseOf(driver, task), attempt, stops, lost }),
  )
}

/** Until the phase that people see changes, or it rests. */
export function stepTask(driver: Driver, { task }: Claim, signal: AbortSignal): Promise<AttemptEnd> {
  return holding(driver, task, async (first, lost) => {
    const before = phaseOf(task, first)
    for (let attempt = first; ;) {
      const stops = oneEffect(signal, { reason: 'SingleIterationComplete' })
      const end = await runAttempt(driver, { task, lease: leaseOf(driver, task), attempt, stops, lost })
      const now = await savedAttempt(driver, task)
      if (end.why !== 'stopped' || end.stop.reason !== 'SingleIterationComplete' || signal.aborted) return end
      if (phaseOf(task, now) !== before) return end
      attempt = now
    }
  })
}

function phaseOf(task: Task, attempt: Attempt): StepPhase | null {
  return standing({ ...task, status: 'active' }, attempt, 'finished').phase
}

async function savedAttempt({ shop, build }: Driver, task: Task): Promise<Attempt> {
  const saved = await shop.store.builds.attempt(build, task.id)
  return saved ?? firstAttempt(task, build, shop.config.limits)
}

function leaseOf({ shop }: Driver, { id, fence }: Task) {
  return { scope: shop.scope, task: id, fence }
}

async function holding(
  driver: Loop,
  task: Task,
  work: (attempt: Attempt, lost: AbortSignal) => Promise<AttemptEnd>,
): Promise<AttemptEnd> {
  const keeper = keepLease(driver, leaseOf(driver, task), LEASE_SECONDS)
  try {
    const end = await work(await savedAttempt(driver, task), keeper.lost)
    if (end.why === 'rested') await tidyUp(driver, task.id, end.attempt)
    return end
  } finally {
    keeper.end()
    await giveBack(driver, task)
  }
}

/** A settled task's folder goes back to the pool; a waiting one's is kept for the human. */
async function tidyUp({ shop, build }: Driver, id: TaskId, { phase }: Attempt): Promise<void> {
  if (phase.at !== 'settled') return
  const workspace = await shop.workspaces.find(build, id)
  if (workspace !== null) await shop.workspaces.release(workspace)
}

/** Whoever claims it next goes on where this stopped; a task that rests is nobody's already. */
async function giveBack({ shop }: Driver, { id, fence }: Task): Promise<void> {
  await shop.store.tasks.change(shop.scope, id, (task, now) =>
    task.fence === fence && task.status === 'active' ? { ...released(task, now), status: 'open' } : task,
  )
}
