// The live feed: a thousand readers of one build, beside a bare WebSocket server that sends the same messages.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findPlace } from '../src/config/paths/place.ts'
import type { Benchmark } from './benchmark.ts'
import { bundleProgram } from './bundle-program.ts'
import { BURST, CLIENTS, factsIn, type Phase, type Seen, STEADY } from './feed-terms.ts'
import { interleave } from './interleave.ts'
import { output, plainEnvironment, RALPH } from './ralph.ts'
import { shown } from './table.ts'

interface Measured extends Seen {
  /** In the burst. */
  readonly perSecond: number
  readonly rssMb: number
}

/** The sender, and the process that makes it send. */
interface Sender {
  readonly url: string
  readonly token: string
  readonly pid: number
  readonly writer: ChildProcess
  readonly children: readonly ChildProcess[]
}

export const feed: Benchmark = {
  name: 'feed',
  rounds: 5,
  run: async (folder, rounds) => {
    const measured = await interleave(
      [
        { name: 'bare ws', measure: () => measure(folder, startBare) },
        { name: "'ralph serve', written by another process", measure: () => measure(folder, startRalph) },
      ],
      rounds,
    )
    const group = (of: (told: Measured) => number) =>
      measured.map(({ name, samples }) => ({ name, samples: samples.map(of) }))
    const [floor, ours] = group(({ perSecond }) => perSecond)
    if (!floor || !ours) throw new Error('nothing was measured')
    return {
      name: 'feed',
      about: [
        `${shown(CLIENTS)} readers on 127.0.0.1, in one process of their own: ${BURST} facts at once, then one every ${STEADY.pauseMs} ms.`,
      ],
      groups: [
        {
          title: 'deliveries in the burst',
          unit: '/s',
          figures: [floor, { ...ours, goal: { bound: 'at least', ratio: 0.7 } }],
        },
        { title: 'one fact to one reader, median', unit: 'ms', figures: group(({ p50Ms }) => p50Ms) },
        { title: 'one fact to one reader, 99 of 100', unit: 'ms', figures: group(({ p99Ms }) => p99Ms) },
        { title: 'memory of the sender afterwards', unit: 'MB', figures: group(({ rssMb }) => rssMb) },
      ],
    }
  },
}

async function measure(folder: string, start: (folder: string) => Promise<Sender>): Promise<Measured> {
  const { url, token, pid, writer, children } = await start(folder)
  const readers = fork(join(import.meta.dirname, 'feed-clients.ts'), [url, token])
  try {
    await nextMessage(readers)
    const burstMs = (await play('burst', readers, writer)).ms
    const { seen } = await play('steady', readers, writer)
    const rssMb = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
    return { ...seen, perSecond: (CLIENTS * factsIn('burst')) / (burstMs / 1000), rssMb }
  } finally {
    for (const child of [readers, ...children]) await endProcess(child)
  }
}

async function play(phase: Phase, readers: ChildProcess, writer: ChildProcess): Promise<{ ms: number; seen: Seen }> {
  readers.send(phase)
  await nextMessage(readers)
  const from = performance.now()
  const done = nextMessage(readers)
  writer.send(phase)
  const seen = (await done) as Seen
  return { ms: performance.now() - from, seen }
}

/** The next message of a child; that it ends instead is the end of the benchmark. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a process of the benchmark ended with ${String(code)}`)
      }),
    ])
  } finally {
    over.abort()
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function startBare(): Promise<Sender> {
  const server = fork(join(import.meta.dirname, 'feed-bare.ts'))
  const url = String(await nextMessage(server))
  return { url, token: 'none', pid: server.pid ?? 0, writer: server, children: [server] }
}

let repositories = 0

async function startRalph(folder: string): Promise<Sender> {
  const repository = join(folder, `repository-${(repositories += 1)}`)
  mkdirSync(repository)
  output(repository, ['git', 'init', '--quiet', '--initial-branch', 'main'])
  output(repository, [
    'git',
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'a',
  ])
  const server = spawn(process.execPath, [RALPH, 'serve', '--port', '0', '--json'], {
    cwd: repository,
    env: plainEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const { address, token } = JSON.parse(line) as Record<'address' | 'token', string>
  const { storePath, scope } = findPlace(repository, plainEnvironment)
  const writer = fork(await bundleProgram(folder, 'feed-writer'), [storePath, scope.repo, scope.branch])
  await nextMessage(writer)
  const url = `${address.replace('http', 'ws')}/api/build/b_bench/stream`
  return { url, token, pid: server.pid ?? 0, writer, children: [writer, server] }
}
