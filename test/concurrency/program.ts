// Real processes for tests: a program of ours in one file, and a child that is spoken to line by line.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'

/** In one file: by itself, Node cannot read the SQL that the store imports. */
export async function bundled(entry: URL, folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs')
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  })
  return outfile
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly lines: readonly string[]
  readonly stderr: string
}

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly say: (line: string) => void
  readonly ended: Promise<Ended>
}

export function start(program: string, words: readonly string[], heard: (line: string) => void = () => {}): Child {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Writing to a killed process fails, and the tests kill processes.
  child.stdin.on('error', () => {})
  const lines: string[] = []
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    heard(line)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, lines, stderr }) as Ended)
  return { process: child, say: (line) => child.stdin.write(`${line}\n`), ended }
}

/** Starts several processes and releases them at the same moment, once all are ready. */
export async function startTogether(
  program: string,
  crew: readonly (readonly string[])[],
  heard: (line: string) => void = () => {},
): Promise<Child[]> {
  let arrived = (): void => {}
  let missing = crew.length
  const ready = new Promise<void>((resolve) => (arrived = resolve))
  const children = crew.map((words) =>
    start(program, words, (line) => {
      if (line === 'ready' && --missing === 0) arrived()
      heard(line)
    }),
  )
  await Promise.race([ready, Promise.all(children.map((child) => child.ended))])
  for (const child of children) child.say('go')
  return children
}
