// `npm run record:others [-- AGENT [CASE …]]`: plays each case with the real `gemini` and `opencode`, called as Ralph calls
// them, and keeps their streams: test/fixtures/streams/AGENT/CASE.jsonl, and index.json with how each ended.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { cacheFolder, install, pinnedAgents } from '../../scripts/agent-cache.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import { inTongueOf } from '../model-server/foreign-tools.ts'
import type { Turn } from '../model-server/turn.ts'
import { agentAt, GEMINI, OPENCODE } from '../real-agents/other-agents.ts'
import { otherCases, RECORDED_AGENTS, type RecordedAgent } from './other-cases.ts'
import { sanitized } from './sanitized.ts'

const TEE = join(import.meta.dirname, 'tee-program.ts')
const SETTINGS = { timeoutMs: 300_000, idleTimeoutMs: 300_000, env: [], credentials: 'none' } as const

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

async function record(agent: RecordedAgent, program: string, scenario: Scenario): Promise<Ended & { stdout: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-record-')))
  const [folder, kept] = [join(root, 'workspace'), join(root, 'kept')]
  for (const path of [folder, kept]) mkdirSync(path)
  const inFolder = (turn: Turn): Turn => JSON.parse(JSON.stringify(turn).replaceAll('/workspace', folder)) as Turn
  const server = await startModelServer(inTongueOf(agent, (ask) => inFolder(scenario(ask))))
  const command = [execPath, TEE, kept, program]
  const real = { ...(agent === 'gemini' ? GEMINI : OPENCODE), command }
  const user = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  const about = { role: 'implementer', prompt: 'Do the task.', task: null, attempt: 1, iteration: 1, env: {} } as const
  const signal = new AbortController().signal
  await agentAt(real, server.address, SETTINGS, user).run({ ...about, folder, signal, onEvent: () => {} })
  await server.close()
  const read = (name: string): string => readFileSync(join(kept, name), 'utf8')
  const ended = JSON.parse(read('ended.json')) as Pick<Ended, 'code' | 'signal'>
  const clean = (text: string): string => sanitized(text, { [folder]: '/workspace', [root]: '/tmp' })
  const stdout = clean(read('stdout'))
  // Stacks tell of the program's own files; what counts are errors in its log, and its last line.
  const lines = clean(read('stderr')).trimEnd().split('\n')
  const told = lines.filter((line, at) => at === lines.length - 1 || line.includes('level=ERROR'))
  const stderr = `${told.join('\n').replaceAll(/run=[0-9a-f]{8}/g, 'run=00000000')}\n`
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  return { ...ended, stdout, stderr }
}

const [, , wanted, ...names] = process.argv
for (const agent of RECORDED_AGENTS.filter((name) => wanted === undefined || wanted === name)) {
  const pinned = pinnedAgents[agent]
  if (pinned === undefined) throw new Error(`${agent} is not pinned`)
  const program = process.env[pinned.variable] ?? (await install(agent, pinned, cacheFolder(process.env)))
  const out = join(import.meta.dirname, '../fixtures/streams', agent)
  mkdirSync(out, { recursive: true })
  const file = join(out, 'index.json')
  const index = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, Ended>
  for (const [name, scenario] of Object.entries(otherCases)) {
    if (names.length > 0 && !names.includes(name)) continue
    const { stdout, ...ended } = await record(agent, program, scenario)
    writeFileSync(join(out, `${name}.jsonl`), stdout)
    index[name] = ended
    const sorted = Object.fromEntries(Object.entries(index).sort(([one], [other]) => (one < other ? -1 : 1)))
    writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
    console.log(
      `${agent} ${name.padEnd(16)} exit ${ended.code ?? ended.signal}, ${stdout.split('\n').length - 1} lines`,
    )
  }
}
