// The processes of this machine (Linux only; elsewhere the list is empty).
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly command: string
  readonly environment: string
  readonly folder: string
}

export function processes(): Process[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const read = (file: string): string => readFileSync(`/proc/${name}/${file}`, 'latin1').replaceAll('\0', ' ')
        const folder = readlinkSync(`/proc/${name}/cwd`)
        return [{ pid: Number(name), command: read('cmdline'), environment: read('environ'), folder }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/** Those that work in this folder, or were started with it in their command or environment. */
export function processesOf(root: string): Process[] {
  return processes().filter((one) => [one.command, one.environment, one.folder].some((text) => text.includes(root)))
}
