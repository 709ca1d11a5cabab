// Which process numbers were given out since a moment. Linux gives them out in order, from the last one on and around at
// the end, and tells the last one and how many were ever given; so whoever comes from a child that was started after the
// moment has one of these few, and of some hundred processes only those need be looked at (0.1 ms instead of 1.5).
import { readFileSync } from 'node:fs'
import { hasProc } from './proc-entry.ts'

export interface PidMoment {
  readonly last: number
  /** Processes and threads since the machine started, in all containers together: never fewer than in ours. */
  readonly started: number
}

export type PidWindow = (pid: number) => boolean

/** To be asked before a child is started; null where the system does not tell. */
export function pidMoment(): PidMoment | null {
  return momentWith(startedLately)
}

/** No number was given out after this one. */
export function isLastPid(pid: number): boolean {
  try {
    return hasProc && lastPid() === pid
  } catch {
    return false
  }
}

function momentWith(startedUntil: () => number): PidMoment | null {
  if (!hasProc) return null
  try {
    const last = lastPid()
    const started = startedUntil()
    return last > 0 && started > 0 ? { last, started } : null
  } catch {
    return null
  }
}

function lastPid(): number {
  return Number(/ (\d+)\s*$/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1])
}

function startedNow(): number {
  return Number(/^processes (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1])
}

/** An earlier count only makes them look like more than they are, and to count takes ten times as long as to read the last. */
const COUNTED_MS = 10_000
let counted = { started: 0, at: -COUNTED_MS }

function startedLately(): number {
  const now = performance.now()
  if (now - counted.at >= COUNTED_MS) counted = { started: startedNow(), at: now }
  return counted.started
}

/** Null where any number may be one of them: `child`, which was started after the moment, shows whether it is told true. */
export function pidsSince(before: PidMoment | null, child: number): PidWindow | null {
  const now = before === null ? null : momentWith(startedNow)
  return before === null || now === null ? null : windowBetween(before, now, child, pidMax())
}

/** Beyond half of all numbers they may soon have gone round. */
export function windowBetween(before: PidMoment, now: PidMoment, child: number, max: number): PidWindow | null {
  const count = now.started - before.started
  if (!(count >= 0 && count < max / 2)) return null
  const isSince: PidWindow = (pid) =>
    before.last <= now.last ? pid > before.last && pid <= now.last : pid > before.last || pid <= now.last
  return isSince(child) ? isSince : null
}

let knownMax: number | null = null

/** As small as it can be set where it is not told: then every number counts. */
function pidMax(): number {
  try {
    knownMax ??= Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'))
  } catch {
    knownMax = 0
  }
  return knownMax
}
