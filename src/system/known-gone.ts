import { hostname } from 'node:os'
import { isPidAlive } from './pid.ts'

/** Whether a process is certainly gone. Nobody can tell from here about a process of another machine. */
export function isKnownGone(process: { readonly pid: number; readonly hostname: string }): boolean {
  return process.hostname === hostname() && !isPidAlive(process.pid)
}
