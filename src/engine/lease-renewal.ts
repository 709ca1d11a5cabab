import { renewLease, type Task } from '../core/task/task.ts'
import type { Lease } from '../store/store.ts'
import type { Loop } from './deps.ts'

export interface LeaseKeeper {
  /** Aborted as soon as the lease is known to be lost, to stop the work on the task. */
  readonly lost: AbortSignal
  /** Call this after a change, to find a lost lease before its next renewal. */
  readonly look: () => void
  readonly end: () => void
}

/** Renews a lease for as long as its agent works. */
export function keepLease({ engine, agentId }: Loop, lease: Lease, seconds: number): LeaseKeeper {
  const lost = new AbortController()
  const isHeld = (task: Task | null): boolean =>
    task?.status === 'active' && task.fence === lease.fence && task.assignee === agentId
  const lose = (): void => lost.abort(new Error('the lease was lost'))
  const renew = async (): Promise<void> => {
    await engine.store.tasks.change(engine.scope, lease.task, (task, now) => {
      if (isHeld(task)) return renewLease(task, agentId, seconds, now)
      lose()
      return task
    })
  }
  const look = async (): Promise<void> => {
    if (!isHeld(await engine.store.tasks.find(engine.scope, lease.task))) lose()
  }
  // The next renewal tries an unreachable store again. Nobody else takes the task before the lease runs out.
  const timer = setInterval(() => void renew().catch(() => {}), (seconds * 1000) / 3)
  return { lost: lost.signal, look: () => void look().catch(() => {}), end: () => clearInterval(timer) }
}
