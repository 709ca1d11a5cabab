// A session that ended without a task: a limit is waited out, what only the operator can mend ends the loop.
import type { Failure, FailureKind } from '../../agents/agent.ts'
import type { Control } from '../control.ts'
import type { Shop } from '../shop.ts'
import type { Stop, StopSwitch } from '../stop.ts'

/** How long to wait where the agent did not say: a limit of use lasts, an overload passes. */
const PAUSES_MS: Partial<Record<FailureKind, number>> = { rateLimit: 300_000, overload: 20_000 }
const FATAL: readonly FailureKind[] = ['auth', 'billing', 'notFound', 'unknownCommand']
/** setTimeout takes no more than 2^31 ms. */
const SLEEP_MAX_MS = 86_400_000

export type Unclaimed =
  | { readonly is: 'stopped'; readonly stop: Stop }
  /** It could not have done anything: the next one may. */
  | { readonly is: 'waited' }
  | { readonly is: 'idle' }

export async function afterUnclaimed(
  { now }: Pick<Shop, 'now'>,
  failure: Failure | null,
  stops: StopSwitch,
  control: Control,
): Promise<Unclaimed> {
  const stop = stops.asked()
  if (stop !== null) return { is: 'stopped', stop }
  if (failure === null) return { is: 'idle' }
  if (FATAL.includes(failure.kind)) return { is: 'stopped', stop: { reason: 'Failed', detail: failure.sentence } }
  const pause = PAUSES_MS[failure.kind]
  if (pause === undefined) return { is: 'idle' }
  // With jitter, so that many loops do not come back at the same moment.
  const until = failure.until ?? now() + pause * (0.75 + Math.random() / 2)
  while (now() < until && stops.asked() === null)
    await control.changed(control.seen(), Math.min(SLEEP_MAX_MS, until - now()))
  return { is: 'waited' }
}
