// The process table where there is no /proc (macOS): the same entries from `ps`, some 10 ms each time.
import { execFile, execFileSync } from 'node:child_process'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { Entry } from './proc-entry.ts'

const PS_COLUMNS = 'pid=,ppid=,pgid=,state=,lstart='
const psOptions = { env: { PATH: env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, maxBuffer: 64 * 1024 * 1024 }

export async function psEntries(): Promise<readonly Entry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', PS_COLUMNS], psOptions)
  return stdout.split('\n').flatMap((line) => parsePsLine(line) ?? [])
}

export function psEntry(pid: number): Entry | null {
  try {
    const found = execFileSync('ps', ['-o', PS_COLUMNS, '-p', String(pid)], { ...psOptions, stdio: 'pipe' })
    return parsePsLine(found.toString('latin1'))
  } catch {
    return null
  }
}

/** `  71  1  71 Ss  Sat Nov 15 04:11:00 2025` */
export function parsePsLine(line: string): Entry | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line)
  if (match === null) return null
  const [, pid, parent, group, state, start] = match
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: 0,
    startedAt: Date.parse(`${start} UTC`) / 1000,
    hasEnded: state?.startsWith('Z') ?? false,
  }
}
