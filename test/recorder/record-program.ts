// `npm run record:agents [-- NAME …]`: plays each case with the real `claude` and keeps its stream, for tests that need no
// program: test/fixtures/streams/claude/NAME.jsonl, and index.json with how each ended.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { startModelServer } from '../model-server/server.ts'
import { hang, type Turn } from '../model-server/turn.ts'
import { cacheFolder, install, pinnedAgents } from '../../scripts/agent-cache.ts'
import { claudeEnvironment } from '../real-agents/claude-environment.ts'
import { BUSY_FILE, type RecordedCase, recordedCases } from './recorded-cases.ts'
import { sanitized } from './sanitized.ts'

const RALPH = join(import.meta.dirname, '../../bin/ralph.js')
const OUT = join(import.meta.dirname, '../fixtures/streams/claude')
const INDEX = join(OUT, 'index.json')
const USUAL = ['--output-format', 'stream-json', '--verbose', '--strict-mcp-config']
const PERMISSIONS = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write']

interface Recorded {
  readonly about: string
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

async function record(program: string, one: RecordedCase): Promise<Recorded & { stdout: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-record-')))
  const [folder, home] = [join(root, 'workspace'), join(root, 'home')]
  for (const path of [folder, home]) mkdirSync(path)
  const server = await startModelServer((ask) => inFolder(one.scenario(ask), folder))
  if (one.unreachable) await server.close()
  const ralph = one.withRalph ? ralphIn(folder, home) : []
  const child = spawn(program, ['-p', ...USUAL, ...PERMISSIONS, ...ralph, ...(one.args ?? [])], {
    cwd: folder,
    env: claudeEnvironment(server.address, home, one.login),
  })
  child.stdin.end(one.prompt ?? 'Do the task.')
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const { stop } = one
  if (stop !== undefined)
    void (stop.during === 'tool' ? fileIn(folder) : server.log.next(({ turn }) => turn === hang)).then(() =>
      child.kill(stop.signal),
    )
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

/** The arguments that give it our tools. */
function ralphIn(folder: string, home: string): string[] {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder, env })
  execFileSync(execPath, [RALPH, 'task', 'create', 'add-sum', 'Add sum()'], { cwd: folder, env })
  const config = { mcpServers: { ralph: { command: execPath, args: [RALPH, 'mcp'] } } }
  return ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__ralph']
}

/** The cases are written for `/workspace`. */
function inFolder(turn: Turn, folder: string): Turn {
  if (turn === hang) return hang
  return JSON.parse(JSON.stringify(turn).replaceAll('/workspace', folder)) as Turn
}

async function fileIn(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === BUSY_FILE) return
}

const pinned = pinnedAgents['claude']
if (pinned === undefined) throw new Error('claude is not pinned')
const program = process.env[pinned.variable] ?? (await install('claude', pinned, cacheFolder(process.env)))
const wanted = process.argv.slice(2)
const cases = Object.entries(recordedCases).filter(([name]) => wanted.length === 0 || wanted.includes(name))
mkdirSync(OUT, { recursive: true })
const index = (existsSync(INDEX) ? JSON.parse(readFileSync(INDEX, 'utf8')) : {}) as Record<string, Recorded>
for (const [name, one] of cases) {
  const { stdout, ...ended } = await record(program, one)
  writeFileSync(join(OUT, `${name}.jsonl`), stdout)
  index[name] = ended
  console.log(`${name.padEnd(20)} exit ${ended.code ?? ended.signal}, ${stdout.split('\n').length - 1} lines`)
}
const sorted = Object.fromEntries(Object.entries(index).sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(INDEX, `${JSON.stringify(sorted, null, 2)}\n`)
