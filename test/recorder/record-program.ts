// `npm run record:agents [-- AGENT [CASE …]]`: plays each case with the real program and keeps its stream, for tests that
// need none: test/fixtures/streams/AGENT/CASE.jsonl, and index.json with how each ended.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import type { Readable } from 'node:stream'
import { startModelServer } from '../model-server/server.ts'
import { hang, type Turn } from '../model-server/turn.ts'
import { cacheFolder, install, pinnedAgents } from '../../scripts/agent-cache.ts'
import { type Recordable, recordables } from './recordables.ts'
import { BUSY_FILE, type RecordedCase } from './recorded-cases.ts'
import { sanitized } from './sanitized.ts'

const RALPH = join(import.meta.dirname, '../../bin/ralph.js')
const STREAMS = join(import.meta.dirname, '../fixtures/streams')

interface Recorded {
  readonly about: string
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

async function record(
  program: string,
  { spoken, argv, env }: Recordable,
  one: RecordedCase,
): Promise<Recorded & { stdout: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-record-')))
  const [folder, home] = [join(root, 'workspace'), join(root, 'home')]
  for (const path of [folder, home]) mkdirSync(path)
  const scenario = spoken(one.scenario)
  const server = await startModelServer((ask) => inFolder(scenario(ask), folder))
  if (one.unreachable) await server.close()
  if (one.withRalph) taskIn(folder, home)
  const stage = { program, address: server.address, home, ralph: one.withRalph ? RALPH : null }
  const [command = '', ...args] = argv(one, stage)
  const child = spawn(command, args, { cwd: folder, env: env(one, stage) })
  child.stdin.on('error', () => {}).end(one.prompt ?? 'Do the task.')
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const { stop } = one
  if (stop !== undefined) {
    const moments = {
      tool: () => fileIn(folder),
      model: () => server.log.next(({ turn }) => turn === hang),
      offline: () => thrice(child.stdout, 'waiting for network'),
    }
    void moments[stop.during]().then(() => child.kill(stop.signal))
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (!one.unreachable) await server.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  const asName = (path: string): string => path.replaceAll(/[^a-z0-9]/gi, '-')
  const places = {
    [asName(folder)]: '-workspace',
    [folder]: '/workspace',
    [home]: '/home/user',
    [root]: '/tmp',
    [dirname(program)]: '/usr/bin',
  }
  const clean = (text: string): string => sanitized(text, places)
  return { about: one.about, code, signal, stdout: clean(said.stdout), stderr: clean(said.stderr) }
}

/** What our tools can tell of. */
function taskIn(folder: string, home: string): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder, env })
  execFileSync(execPath, [RALPH, 'task', 'create', 'add-sum', 'Add sum()'], { cwd: folder, env })
}

/** The cases are written for `/workspace`. */
function inFolder(turn: Turn, folder: string): Turn {
  if (turn === hang) return hang
  return JSON.parse(JSON.stringify(turn).replaceAll('/workspace', folder)) as Turn
}

function thrice(stream: Readable, words: string): Promise<void> {
  let said = ''
  return new Promise((resolve) => {
    stream.on('data', (text: string) => {
      said += text
      if (said.split(words).length > 3) resolve()
    })
  })
}

async function fileIn(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === BUSY_FILE) return
}

const [, , named, ...wanted] = process.argv
for (const agent of named === undefined ? Object.keys(recordables) : [named]) {
  const [pinned, recordable] = [pinnedAgents[agent], recordables[agent]]
  if (pinned === undefined || recordable === undefined) {
    console.error(`Error: nothing is recorded of '${agent}'; known are ${Object.keys(recordables).join(', ')}`)
    process.exit(1)
  }
  const program = process.env[pinned.variable] ?? (await install(agent, pinned, cacheFolder(process.env)))
  const cases = Object.entries(recordable.cases).filter(([name]) => wanted.length === 0 || wanted.includes(name))
  const out = join(STREAMS, agent)
  mkdirSync(out, { recursive: true })
  const file = join(out, 'index.json')
  const index = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, Recorded>
  for (const [name, one] of cases) {
    const { stdout, ...ended } = await record(program, recordable, one)
    writeFileSync(join(out, `${name}.jsonl`), stdout)
    index[name] = ended
    console.log(
      `${agent} ${name.padEnd(20)} exit ${ended.code ?? ended.signal}, ${stdout.split('\n').length - 1} lines`,
    )
  }
  const sorted = Object.fromEntries(Object.entries(index).sort(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}
