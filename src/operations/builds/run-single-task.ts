// Drives one task by hand, beside the loops: a step, or the merge of a human's fix.
import { type Attempt, firstAttempt } from '../../core/attempt/attempt.ts'
import { standingOf, type StepPhase } from '../../core/builds/build.ts'
import type { AgentId, BuildId, TaskId } from '../../core/values/id.ts'
import type { Task } from '../../core/task/task.ts'
import { giveBack, LEASE_SECONDS, leaseOn, releaseFolder } from '../../engine/claimed-task.ts'
import { keepLease } from '../../engine/lease-renewal.ts'
import { type AttemptEnd, runAttempt } from '../../engine/run-attempt.ts'
import type { Loop, EngineDeps } from '../../engine/deps.ts'
import { oneEffect, type StopSwitch } from '../../engine/stop.ts'
import type { Claim } from '../../store/store.ts'

export interface Driver {
  readonly engine: EngineDeps
  readonly build: BuildId
  readonly agentId: AgentId
}

/** Claims the named task, or the best one; null where there is none. */
export function takeTask({ engine, build, agentId }: Driver, id?: TaskId): Promise<Claim | null> {
  const request = { agent: agentId, leaseSeconds: LEASE_SECONDS, build }
  return engine.store.tasks.claim(engine.scope, id === undefined ? request : { ...request, id })
}

/** Until the task rests or has to stop. */
export function runSingleTask(driver: Driver, { task }: Claim, stops: StopSwitch): Promise<AttemptEnd> {
  return holding(driver, task, async (attempt, lost) =>
    runAttempt(driver, { lease: leaseOn(driver.engine, task), attempt, stops, lost }),
  )
}

/** Until the phase that people see changes, or the task rests. */
export function stepTask(driver: Driver, { task }: Claim, signal: AbortSignal): Promise<AttemptEnd> {
  return holding(driver, task, async (first, lost) => {
    const before = phaseOf(task, first)
    for (let attempt = first; ;) {
      const stops = oneEffect(signal, { reason: 'SingleIterationComplete' })
      const end = await runAttempt(driver, { lease: leaseOn(driver.engine, task), attempt, stops, lost })
      const now = await savedAttempt(driver, task)
      if (end.why !== 'stopped' || end.stop.reason !== 'SingleIterationComplete' || signal.aborted) return end
      if (phaseOf(task, now) !== before) return end
      attempt = now
    }
  })
}

function phaseOf(task: Task, attempt: Attempt): StepPhase | null {
  return standingOf({ ...task, status: 'active' }, attempt, 'finished').phase
}

async function savedAttempt({ engine, build }: Driver, task: Task): Promise<Attempt> {
  const saved = await engine.store.builds.attempt(build, task.id)
  return saved ?? firstAttempt(task, build, engine.config.limits)
}

async function holding(
  driver: Loop,
  task: Task,
  work: (attempt: Attempt, lost: AbortSignal) => Promise<AttemptEnd>,
): Promise<AttemptEnd> {
  const keeper = keepLease(driver, leaseOn(driver.engine, task), LEASE_SECONDS)
  try {
    const end = await work(await savedAttempt(driver, task), keeper.lost)
    if (end.why === 'rested') await releaseFolder(driver.engine, driver.build, end.attempt)
    return end
  } finally {
    keeper.end()
    await giveBack(driver.engine, task)
  }
}
