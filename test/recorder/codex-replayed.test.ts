// The recorded streams of `codex`, heard by the agent as the program opens it: what became of each session.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import { FROM_SOURCE } from '../../src/agents/scripted/player-program.ts'
import { tempFolder } from '../../src/agents/trial.conformance.ts'
import { codexCases } from './codex-cases.ts'
import { sanitized } from './sanitized.ts'

const PROGRAM = join(import.meta.dirname, 'replay-program.ts')
const FOLDER = join(import.meta.dirname, '../fixtures/streams/codex')

interface Replayed extends Outcome {
  readonly events: readonly AgentEvent[]
}

async function replayed(name: string): Promise<Replayed> {
  const bounds = { timeoutMs: 50_000, idleTimeoutMs: 50_000 }
  const settings = { env: [], credentials: 'none', args: [], model: null, scenario: null } as const
  const codex = { ...bounds, ...settings, command: [execPath, ...FROM_SOURCE, PROGRAM, `codex/${name}`] }
  const agents = { planner: 'codex', implementer: 'codex', reviewer: 'codex', sia: 'codex' }
  const user = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  const { implementer } = openAgents({ agents, agent: { codex } }, { root: '/', env: user })
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

const good: Readonly<Record<string, string>> = {
  text: DONE,
  work: DONE,
  patch: DONE,
  'two-tools': DONE,
  mcp: DONE,
  'overload-once': DONE,
  'drop-once': DONE,
  unicode: 'é ✓ 🐙 \u2028 "quoted" \\ \u0007\n\nITERATION_DONE',
  empty: '',
}

const bad: Readonly<Record<string, readonly [kind: FailureKind, words: string, until?: unknown]>> = {
  auth: ['auth', '401 Unauthorized'],
  forbidden: ['auth', '403 Forbidden'],
  'rate-limit': ['rateLimit', '(You’ve hit your usage limit, try again at 11:59 PM)', expect.any(Number)],
  'rate-limit-late': ['rateLimit', 'hit your usage limit', expect.any(Number)],
  'rate-limit-bare': ['rateLimit', '429 Too Many Requests'],
  'rate-limit-stream': ['rateLimit', 'rate limit exceeded'],
  server: ['overload', 'high demand'],
  overload: ['overload', 'at capacity'],
  drop: ['overload', 'stream disconnected'],
  unreachable: ['overload', 'waiting for network'],
  credit: ['billing', 'Quota exceeded'],
  'too-long': ['contextTooLong', 'exceeds the context window'],
  'too-long-stream': ['contextTooLong', 'ran out of room'],
  'unknown-model': ['unknownCommand', 'does not exist'],
  length: ['badOutput', 'max_output_tokens'],
  refusal: ['badOutput', 'content_filter'],
  'unknown-option': ['unknownCommand', 'does not take this command line'],
  'bad-setting': ['unknownCommand', 'does not take this command line'],
  terminated: ['crashed', 'SIGTERM'],
  killed: ['crashed', 'SIGKILL'],
}

it('every recorded case has its meaning here', () => {
  expect([...Object.keys(good), ...Object.keys(bad)].toSorted()).toEqual(Object.keys(codexCases).toSorted())
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
  expect(usage).toEqual({ inputTokens: 5020, outputTokens: 200, costUsd: null })
  expect(events.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'log', text: expect.stringContaining('Model metadata for `gpt-5` not found') },
    { type: 'thinking', text: 'A file is wanted.' },
    { type: 'text', text: 'I write the file.' },
    { type: 'toolUse', tool: 'shell', input: "printf 'hello\\n' > hello.txt" },
    { type: 'toolResult', tool: 'shell', output: '', isError: false },
    { type: 'toolUse', tool: 'shell', input: 'cat hello.txt' },
    { type: 'toolResult', tool: 'shell', output: 'hello\n', isError: false },
    { type: 'toolUse', tool: 'shell', input: 'echo problem >&2; exit 3' },
    { type: 'toolResult', tool: 'shell', output: 'problem\n', isError: true },
    { type: 'text', text: DONE },
  ])
})

it.each([
  ['patch', [{ type: 'toolUse', tool: 'apply_patch', input: 'add /workspace/a.txt' }]],
  [
    'mcp',
    [
      { type: 'toolUse', tool: 'mcp__ralph__task_peek', input: '{}' },
      { type: 'toolUse', tool: 'mcp__ralph__write_scratchpad', input: expect.stringContaining('"testStatus":"b"') },
    ],
  ],
])('its tools are shown by their names: %s', async (name, uses) => {
  const { events } = await replayed(name)
  expect(events.filter(({ type }) => type === 'toolUse')).toEqual(uses)
})

describe('the recorded streams', () => {
  const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Record<string, { about: string }>

  it('are of the cases that can be recorded', () => {
    const abouts = Object.entries(index).map(([name, { about }]) => [name, about])
    const cases = Object.entries(codexCases).map(([name, { about }]) => [name, about])
    expect(abouts.toSorted()).toEqual(cases.toSorted())
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
    expect(files.toSorted()).toEqual(
      Object.keys(index)
        .map((name) => `${name}.jsonl`)
        .toSorted(),
    )
  })

  it.each(Object.keys(index))('%s is steady, and JSON in each line', (name) => {
    const text = readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    expect(sanitized(text, {})).toBe(text)
    const types = text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { type: string }).type]))
    expect(types[0] ?? 'thread.started').toBe('thread.started')
  })
})
