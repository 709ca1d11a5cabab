// What the processes of `feed` agree on.
import { performance } from 'node:perf_hooks'

export const CLIENTS = 1_000
/** As many as go at once, as fast as can be. */
export const BURST = 200
/** One every 50 ms: a busy build. */
export const STEADY = { facts: 60, pauseMs: 50 } as const

export type Phase = 'burst' | 'steady'

export const factsIn = (phase: Phase): number => (phase === 'burst' ? BURST : STEADY.facts)

/** Milliseconds since 1970, the same clock for all processes of a machine. */
export const stamp = (): number => performance.timeOrigin + performance.now()

const STAMP_LENGTH = 18
const FILLING = 'x'.repeat(120)

/** What a fact says, so long as facts mostly are. */
export const textNow = (): string => `${stamp().toFixed(4).padEnd(STAMP_LENGTH)} ${FILLING}`

/** When this message was made; it is looked for rather than parsed, so that the readers are not what is measured. */
export function stampIn(message: string): number {
  const at = message.indexOf('"error":"') + '"error":"'.length
  return Number(message.slice(at, at + STAMP_LENGTH))
}

/** What the readers saw of one phase. */
export interface Seen {
  readonly p50Ms: number
  readonly p99Ms: number
}
