// Who runs on this machine: /proc on Linux, `ps` elsewhere. A process is known by its number *and* its start, because the
// system gives numbers out again (after 32,768 processes on a small machine).
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { kill, pid as ownPid } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { errnoOf } from './errno.ts'
import { psEntries, psEntry } from './process-table-ps.ts'

export interface Entry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** Clock ticks since boot (Linux) or seconds since 1970 (ps): to be compared, not to be read. */
  readonly startedAt: number
  /** No instruction of its program runs any more: it is on its way out, or a zombie that waits for its parent to notice. */
  readonly hasEnded: boolean
}

export const hasProc = existsSync('/proc/self/stat')

/** About 15 µs each, so a slice holds the event loop for 4 ms. */
const ENTRIES_PER_SLICE = 256

/** `among`: only these numbers; others need not be looked at. */
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

/** Synchronous, so that nothing can happen between this look and a signal. */
export function entryOf(pid: number): Entry | null {
  return hasProc ? procEntry(pid) : psEntry(pid)
}

/** Sends the signal only to the very process that was seen before. `refused`: it is another user's. */
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

/** Process and group numbers mean something only within one boot and one PID namespace (a container has its own). */
export function bootId(): string {
  if (!hasProc) return 'ps'
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`
}

function procEntry(pid: number): Entry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}

/** PF_EXITING of the kernel's flags (field 9): set when a process begins to leave, long before it is a zombie. */
const EXITING = 0x4

/** proc_pid_stat(5): `pid (name) state ppid pgrp session … starttime(22) …`; the name may hold spaces and brackets. */
export function parseStat(line: string): Entry {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  const isLeaving = fields[0] === 'Z' || fields[0] === 'X' || (field(9) & EXITING) !== 0
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    group: field(5),
    session: field(6),
    startedAt: field(22),
    // The first thread may leave while others work on.
    hasEnded: isLeaving && field(20) <= 1,
  }
}
