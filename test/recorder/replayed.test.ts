// The recorded streams of `claude`, heard by the agent as the program opens it: what became of each session.
import { expect, it } from 'vitest'
import { recordedCases } from './recorded-cases.ts'
import { describeMeaning, DONE, type Meaning, replayed } from './replayed.ts'

const IN_2100 = Date.UTC(2100, 0, 1)

const good: Meaning['good'] = {
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

const bad: Meaning['bad'] = {
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

describeMeaning('claude', { cases: Object.keys(recordedCases), good, bad })

it('what it did is shown in order, with what it used', async () => {
  const { events, usage } = await replayed('claude', 'work')
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
