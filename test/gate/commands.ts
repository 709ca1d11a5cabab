// Runs commands beside each other, and ends what hangs with everything that it started.
import { spawn } from 'node:child_process'

export interface Ended {
  readonly code: number | null
  readonly output: string
  readonly stdout: string
}

export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
}

const HANGS_MS = 300_000

export function runLine(line: string, place: Place): Promise<Ended> {
  return runWords(['sh', '-c', line], place)
}

export function runWords([program = '', ...args]: readonly string[], place: Place): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const child = spawn(program, args, { cwd: place.folder, env: place.env, detached: true })
  const said = { all: '', stdout: '' }
  const hangs = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), HANGS_MS)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.all += text
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.all += text
  })
  // A program that does not read its input closes it.
  child.stdin.on('error', () => {})
  child.stdin.end(place.input ?? '')
  child.on('error', (error) => {
    clearTimeout(hangs)
    resolve({ code: null, output: String(error), stdout: '' })
  })
  child.on('close', (code) => {
    clearTimeout(hangs)
    resolve({ code, output: said.all, stdout: said.stdout })
  })
  return promise
}

/** So many at a time, in order of their start. */
export async function eachOf<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T, at: number) => Promise<void>,
): Promise<void> {
  const left = all.entries()
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) await work(one, at)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
