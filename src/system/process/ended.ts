// The outcome of a run, as a value in every case.
import { NOTHING_CAPTURED, type HeadTailBuffer } from './head-tail-buffer.ts'
import type { NotStarted } from './not-started.ts'

/** Why we ended a child. */
export type Reason =
  /** Its wall time was over. */
  | 'deadline'
  /** It printed nothing for too long. */
  | 'idle'
  /** The caller no longer wants it. */
  | 'aborted'
  /** It printed more than the cap. */
  | 'flooded'
  /** It had reported its result and did not exit; not an error. */
  | 'lingered'

interface Facts {
  /** Of the direct child. Both null: it never started, or could not be killed. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: HeadTailBuffer
  readonly stderr: HeadTailBuffer
  readonly durationMs: number
  /** Processes that left the child's group or outlived the child, and were ended one by one. */
  readonly survivors: number
  /** Processes that not even SIGKILL could end: another user's, or hanging in the kernel. */
  readonly unkillable: number
}

export type Ended = Facts &
  ({ readonly how: 'exited' | 'signalled' | Reason } | ({ readonly how: 'notStarted' } & NotStarted))

export const NOTHING_RAN: Facts = {
  code: null,
  signal: null,
  stdout: NOTHING_CAPTURED,
  stderr: NOTHING_CAPTURED,
  durationMs: 0,
  survivors: 0,
  unkillable: 0,
}
