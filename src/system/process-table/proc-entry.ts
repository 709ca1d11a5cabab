// One process as /proc describes it. Loads almost nothing, because commands ask before they begin.
import { existsSync, readFileSync } from 'node:fs'

export interface Entry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** Clock ticks since boot (Linux) or seconds since 1970 (ps): only for comparison. */
  readonly startedAt: number
  /** Its program no longer runs: the process is exiting, or a zombie that waits for its parent. */
  readonly hasEnded: boolean
}

export const hasProc = existsSync('/proc/self/stat')

export function procEntry(pid: number): Entry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}

/** PF_EXITING in the kernel's flags (field 9): set when a process begins to exit, long before it is a zombie. */
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
    // The first thread may exit while others go on.
    hasEnded: isLeaving && field(20) <= 1,
  }
}
