// The recorded streams of `gemini` and `opencode`, heard by the agents as the program opens them: what became of each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Usage } from '../../src/agents/agent.ts'
import { otherCases, RECORDED_AGENTS, type RecordedAgent } from './other-cases.ts'
import { DONE, replayed } from './replayed.ts'
import { sanitized } from './sanitized.ts'

const STREAMS = join(import.meta.dirname, '../fixtures/streams')

type Expected = string | readonly [kind: FailureKind, words: string]

const both: Readonly<Record<string, Expected>> = {
  text: DONE,
  work: DONE,
  auth: ['auth', 'is not accepted'],
  forbidden: ['auth', 'is not accepted'],
  'rate-limit': ['rateLimit', 'limit of the account'],
  server: ['overload', 'overloaded or cannot be reached'],
  credit: ['billing', 'no credit left'],
  'too-long': ['contextTooLong', 'longer than the model can read'],
  'unknown-model': ['unknownCommand', 'the model cannot be used'],
  drop: ['overload', 'overloaded or cannot be reached'],
}

interface Meant {
  readonly cases: Readonly<Record<string, Expected>>
  readonly usage: Usage
  readonly work: readonly AgentEvent[]
}

const SPOKEN = 'é ✓ 🐙 \u2028 "quoted" \\ \u0007\n\nITERATION_DONE'
const MISSING = expect.stringContaining('write_scratchpad') as string

const meant: Readonly<Record<RecordedAgent, Meant>> = {
  gemini: {
    cases: {
      ...both,
      unicode: SPOKEN,
      empty: ['badOutput', 'empty response'],
      length: 'I was going to',
    },
    usage: { inputTokens: 4500, outputTokens: 200, costUsd: null },
    work: [
      { type: 'text', text: 'I write the file.' },
      { type: 'toolUse', tool: 'write_file', input: '{"file_path":"/workspace/hello.txt","content":"hello\\n"}' },
      { type: 'toolResult', tool: 'write_file', output: '', isError: false },
      { type: 'toolUse', tool: 'run_shell_command', input: 'echo problem >&2; exit 3' },
      { type: 'toolResult', tool: 'run_shell_command', output: 'problem', isError: false },
      { type: 'toolUse', tool: 'mcp_ralph_write_scratchpad', input: expect.any(String) as string },
      { type: 'toolResult', tool: 'mcp_ralph_write_scratchpad', output: MISSING, isError: true },
    ],
  },
  opencode: {
    cases: {
      ...both,
      // Its log has the words only, and these are also those of a limit.
      credit: ['rateLimit', 'plan and billing'],
      unicode: SPOKEN,
      empty: '',
      length: ['badOutput', 'more than one answer can hold'],
    },
    usage: { inputTokens: 4500, outputTokens: 200, costUsd: expect.any(Number) as number },
    work: [
      { type: 'thinking', text: 'A file is wanted.' },
      { type: 'text', text: 'I write the file.' },
      { type: 'toolUse', tool: 'write', input: '{"filePath":"/workspace/hello.txt","content":"hello\\n"}' },
      { type: 'toolResult', tool: 'write', output: 'Wrote file successfully.', isError: false },
      { type: 'toolUse', tool: 'bash', input: 'echo problem >&2; exit 3' },
      { type: 'toolResult', tool: 'bash', output: 'problem\n', isError: true },
      { type: 'toolUse', tool: 'invalid', input: MISSING },
      { type: 'toolResult', tool: 'invalid', output: MISSING, isError: false },
    ],
  },
}

describe.each(RECORDED_AGENTS)('%s', (agent) => {
  const { cases, usage, work } = meant[agent]
  const folder = join(STREAMS, agent)

  it('has every case recorded, and each has its meaning here', () => {
    const names = Object.keys(otherCases).toSorted()
    expect(Object.keys(cases).toSorted()).toEqual(names)
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    expect(files.map((name) => name.replace(/\.jsonl$/, '')).toSorted()).toEqual(names)
  })

  it.each(Object.keys(otherCases))('%s is steady', (name) => {
    const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    expect(sanitized(text, {})).toBe(text)
  })

  it.each(Object.entries(cases))('%s is what it was', async (name, expected) => {
    const { failure, finalMessage } = await replayed(agent, name)
    if (typeof expected === 'string')
      expect({ failure, finalMessage }).toEqual({ failure: null, finalMessage: expected })
    else {
      const [kind, words] = expected
      const sentence = expect.stringContaining(words) as string
      expect(failure).toEqual({ kind, sentence, until: failure?.until ?? null })
      expect(failure?.sentence).toMatch(/^[^\n]{20,700}$/)
    }
  })

  it('shows what it did in order, with what it used', async () => {
    const { events, usage: used } = await replayed(agent, 'work')
    expect(used).toEqual(usage)
    expect(events.filter(({ type }) => type !== 'usage' && type !== 'log')).toEqual([
      ...work,
      { type: 'text', text: 'It is done.' },
      { type: 'text', text: 'TASK_COMPLETE' },
    ])
  })
})
