// The recorded streams of `codex`, heard by the agent as the program opens it: what became of each session.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexCases } from './codex-cases.ts'
import { describeMeaning, DONE, type Meaning, replayed } from './replayed.ts'
import { sanitized } from './sanitized.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/streams/codex')

const good: Meaning['good'] = {
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

const bad: Meaning['bad'] = {
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

describeMeaning('codex', { cases: Object.keys(codexCases), good, bad })

it('what it did is shown in order, with what it used', async () => {
  const { events, usage } = await replayed('codex', 'work')
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
  const { events } = await replayed('codex', name)
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
