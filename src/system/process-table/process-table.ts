// The processes of this machine: /proc on Linux, `ps` elsewhere. A number *and* a start time identify a process,
// because the system reuses numbers (after 32,768 processes on a small machine).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { kill, pid as ownPid } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { errnoOf } from '../errno.ts'
import { type Entry, hasProc, procEntry } from './proc-entry.ts'
import { psEntries, psEntry } from './process-table-ps.ts'

/** About 15 µs each, so a slice blocks the event loop for 4 ms. */
const ENTRIES_PER_SLICE = 256

/** `among`: look at these numbers only. */
export async function allEntries(among: (pid: number) => boolean = () => true): Promise<readonly Entry[]> {
  if (!hasProc) return psEntries()
  const entries: Entry[] = []
  let read = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !among(Number(name))) continue
    const entry = procEntry(Number(name))
    if (entry !== null) entries.push(entry)
    if (++read % ENTRIES_PER_SLICE === 0) await setImmediate()
  }
  return entries
}

/** Synchronous, so nothing can happen between this look and a signal. */
export function entryOf(pid: number): Entry | null {
  return hasProc ? procEntry(pid) : psEntry(pid)
}

/** Sends the signal only to the same process as before. `refused`: it is another user's. */
export function signalSame(seen: Pick<Entry, 'pid' | 'startedAt'>, name: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  if (seen.pid <= 1 || seen.pid === ownPid) return 'refused'
  const now = entryOf(seen.pid)
  if (now === null || now.hasEnded || now.startedAt !== seen.startedAt) return 'gone'
  try {
    kill(seen.pid, name)
    return 'sent'
  } catch (error) {
    return errnoOf(error) === 'ESRCH' ? 'gone' : 'refused'
  }
}

/** Process and group numbers are valid within one boot and one PID namespace (a container has its own). */
export function bootId(): string {
  if (!hasProc) return 'ps'
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`
}
