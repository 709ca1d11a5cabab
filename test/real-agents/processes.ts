// What runs on this machine, as far as a test may look (Linux only; elsewhere nothing is found).
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly command: string
  readonly environment: string
}

export function processes(): Process[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const read = (file: string): string => readFileSync(`/proc/${name}/${file}`, 'latin1').replaceAll('\0', ' ')
        return [{ pid: Number(name), command: read('cmdline'), environment: read('environ') }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/** Those that were started with this folder in their command or environment. */
export function processesOf(folder: string): string[] {
  return processes()
    .filter(({ command, environment }) => `${command} ${environment}`.includes(folder))
    .map(({ pid, command }) => `${pid} ${command}`)
}
