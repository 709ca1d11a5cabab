// The recorded streams of `claude`, heard by the agent as the program opens it: what became of each session.
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import { FROM_SOURCE } from '../../src/agents/scripted/player-program.ts'
import { tempFolder } from '../../src/agents/trial.conformance.ts'
import { recordedCases } from './recorded-cases.ts'

const PROGRAM = join(import.meta.dirname, 'replay-program.ts')

interface Replayed extends Outcome {
  readonly events: readonly AgentEvent[]
}

async function replayed(name: string): Promise<Replayed> {
  const bounds = { timeoutMs: 50_000, idleTimeoutMs: 50_000 }
  const settings = { env: [], credentials: 'none', args: [], model: null, scenario: null } as const
  const claude = { ...bounds, ...settings, command: [execPath, ...FROM_SOURCE, PROGRAM, name] }
  const agents = { planner: 'claude', implementer: 'claude', reviewer: 'claude', sia: 'claude' }
  const user = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  const { implementer } = openAgents({ agents, agent: { claude } }, { root: '/', env: user })
  const events: AgentEvent[] = []
  const outcome = await implementer.run({
    role: 'implementer',
    prompt: 'Do the task.',
    folder: await tempFolder(),
    task: 't1',
    attempt: 1,
    iteration: 1,
    env: {},
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
  })
  return { ...outcome, events }
}

const DONE = 'It is done.\n\nTASK_COMPLETE'
const IN_2100 = Date.UTC(2100, 0, 1)

const good: Readonly<Record<string, string>> = {
  text: DONE,
  work: DONE,
  'two-tools': DONE,
  mcp: DONE,
  denied: DONE,
  'overload-once': DONE,
  'drop-once': DONE,
  'unknown-command': DONE,
  unicode: 'é ✓ 🐙 \u2028 "quoted" \\ \u0007\n\nITERATION_DONE',
  empty: '',
}

const bad: Readonly<Record<string, readonly [kind: FailureKind, words: string, until?: number]>> = {
  auth: ['auth', 'Invalid API key'],
  'logged-out': ['auth', 'Not logged in'],
  forbidden: ['auth', '403'],
  'rate-limit': ['rateLimit', 'hit your 5-hour limit', IN_2100],
  'rate-limit-late': ['rateLimit', 'hit your 5-hour limit', IN_2100],
  'rate-limit-key': ['rateLimit', '429'],
  'rate-limit-bare': ['rateLimit', '429'],
  server: ['overload', '500'],
  overload: ['overload', '529'],
  drop: ['overload', 'ECONNRESET'],
  unreachable: ['overload', 'ECONNREFUSED'],
  credit: ['billing', 'Credit balance is too low'],
  'too-long': ['contextTooLong', 'Prompt is too long'],
  'unknown-model': ['unknownCommand', 'selected model'],
  length: ['badOutput', 'exceeded the 128000 output token maximum'],
  refusal: ['badOutput', 'safeguards'],
  'max-turns': ['timedOut', 'maximum number of turns'],
  budget: ['timedOut', 'maximum budget'],
  interrupted: ['killed', 'interrupted'],
  terminated: ['crashed', 'exit code 143'],
  'terminated-waiting': ['crashed', 'exit code 143'],
  killed: ['crashed', 'SIGKILL'],
}

it('every recorded case has its meaning here', () => {
  expect([...Object.keys(good), ...Object.keys(bad)].toSorted()).toEqual(Object.keys(recordedCases).toSorted())
})

it.each(Object.entries(good))('%s went well', async (name, finalMessage) => {
  expect(await replayed(name)).toMatchObject({ failure: null, finalMessage, survivors: 0 })
})

it.each(Object.entries(bad))('%s did not', async (name, [kind, words, until = null]) => {
  const { failure, finalMessage } = await replayed(name)
  expect({ failure, finalMessage }).toEqual({
    failure: { kind, sentence: expect.stringContaining(words), until },
    finalMessage: '',
  })
})

it('what it did is shown in order, with what it used', async () => {
  const { events, usage } = await replayed('work')
  expect(usage).toEqual({ inputTokens: 5020, outputTokens: 200, costUsd: expect.closeTo(0.01868, 8) })
  expect(events.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'thinking', text: 'A file is wanted.' },
    { type: 'text', text: 'I write the file.' },
    { type: 'toolUse', tool: 'Write', input: '{"file_path":"/workspace/hello.txt","content":"hello\\n"}' },
    { type: 'toolResult', tool: 'Write', output: expect.stringContaining('created successfully'), isError: false },
    { type: 'toolUse', tool: 'Bash', input: 'echo hello > hello.txt && cat hello.txt' },
    { type: 'toolResult', tool: 'Bash', output: 'hello', isError: false },
    { type: 'toolUse', tool: 'Bash', input: 'echo problem >&2; exit 3' },
    { type: 'toolResult', tool: 'Bash', output: 'Exit code 3\nproblem', isError: true },
    { type: 'text', text: DONE },
  ])
})
