import { renewed } from '../core/task.ts'
import type { Lease } from '../store/store.ts'
import type { Loop } from './shop.ts'

export interface LeaseKeeper {
  /** Aborted as soon as the lease is known to be lost: what runs for it is to stop. */
  readonly lost: AbortSignal
  readonly end: () => void
}

/** Renews a lease for as long as its agent works. */
export function keepLease({ shop, agentId }: Loop, lease: Lease, seconds: number): LeaseKeeper {
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    await shop.store.tasks.change(shop.scope, lease.task, (task, now) => {
      if (task.fence === lease.fence) return renewed(task, agentId, seconds, now)
      lost.abort(new Error('the lease was lost'))
      return task
    })
  }
  // A store that cannot be reached now is tried again: until the lease has run out nobody else takes the task.
  const timer = setInterval(() => void renew().catch(() => {}), (seconds * 1000) / 3)
  return { lost: lost.signal, end: () => clearInterval(timer) }
}
