import { hostname } from 'node:os'
import { kill } from 'node:process'

/** Whether a process of this machine has this number now. A process of another user counts: we may not signal it. */
export function isPidAlive(pid: number): boolean {
  try {
    kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process is certainly gone. Nobody can tell from here about a process of another machine. */
export function isKnownGone(process: { readonly pid: number; readonly hostname: string }): boolean {
  return process.hostname === hostname() && !isPidAlive(process.pid)
}
