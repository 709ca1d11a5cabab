import { describe, expect, it } from 'vitest'
import type { AgentEvent, Role } from '../agent.ts'
import { startLines } from '../lines.ts'
import { type CodexReader, codexReader } from './stream-reader.ts'

const NOW = Date.parse('2026-11-15T07:40:00Z')

function read(records: readonly (object | string)[], role: Role = 'implementer') {
  const reader = codexReader({ role, prompt: 'x'.repeat(400) }, () => NOW)
  const events = records.flatMap((one) => reader.line(typeof one === 'string' ? one : JSON.stringify(one)))
  return { reader, events }
}

const item = (type: string, more: object, is = 'item.completed') => ({ type: is, item: { id: 'i1', type, ...more } })
const completed = (usage = {}) => ({ type: 'turn.completed', usage })
const failed = (message: string) => ({ type: 'turn.failed', error: { message } })

function kindOf(reader: CodexReader): string | null {
  const result = reader.result()
  return result !== null && 'failure' in result ? result.failure.kind : null
}

describe('a session', () => {
  it('is over when its turn is, and not when an item says that something is wrong', () => {
    const warning = item('error', { message: 'Model metadata for `x` not found.' })
    const { reader, events } = read([warning, item('agent_message', { text: 'a' })])
    expect(reader.result()).toBeNull()
    expect(events).toEqual([
      { type: 'log', text: 'Model metadata for `x` not found.' },
      { type: 'text', text: 'a' },
    ])
    reader.line(JSON.stringify(completed()))
    expect(reader.result()).toEqual({ finalMessage: 'a' })
  })

  it('may say what is not known, or is no record', () => {
    const { reader, events } = read([
      '',
      '{"torn',
      'plain words',
      { type: 'new.kind' },
      item('todo_list', {}),
      completed(),
    ])
    expect(events.map((event) => ('text' in event ? event.text : event.type))).toEqual([
      '{"torn',
      'plain words',
      'usage',
    ])
    expect(reader.result()).toEqual({ finalMessage: '' })
  })

  it('counts what passes by until Codex says what was used', () => {
    const command = { command: "/bin/bash -c 'ls -l'", aggregated_output: 'y'.repeat(395), exit_code: 0 }
    const { reader } = read([item('command_execution', command, 'item.started'), item('command_execution', command)])
    // 400 characters of prompt, 5 of the command, 395 of its result: 400 were read once, and 800 once more.
    expect(reader.usage()).toEqual({ inputTokens: 300, outputTokens: 2, costUsd: null })
    reader.line(JSON.stringify(completed({ input_tokens: 9000, cached_input_tokens: 8000, output_tokens: 70 })))
    expect(reader.usage()).toEqual({ inputTokens: 9000, outputTokens: 70, costUsd: null })
  })

  it('that failed after some work is not taken for free', () => {
    const { reader } = read([item('agent_message', { text: 'z'.repeat(40) }), failed('Quota exceeded.')])
    expect([kindOf(reader), reader.usage()]).toEqual(['billing', { inputTokens: 100, outputTokens: 10, costUsd: null }])
  })

  it('is given up where nobody answers, the third time it says so in a row', () => {
    const offline = { type: 'error', message: 'Reconnecting... waiting for network (Connection failed)' }
    const { reader } = read([offline, offline, { type: 'error', message: 'Reconnecting... 1/5 (x)' }, offline, offline])
    expect(reader.result()).toBeNull()
    reader.line(JSON.stringify(offline))
    expect(kindOf(reader)).toBe('overload')
    // Whoever gets through after all was not given up.
    reader.line(JSON.stringify(completed()))
    expect(reader.result()).toEqual({ finalMessage: '' })
  })

  it.each<[Role, boolean]>([
    ['implementer', true],
    ['reviewer', false],
  ])('of the %s has its hands tied where our tools are refused: %s', (role, isTied) => {
    const call = (error: object | null) =>
      item('mcp_tool_call', { server: 'ralph', tool: 'x', error, status: 'failed' })
    const refused = call({ message: 'MCP tool call requires approval, but approval policy is never' })
    expect(kindOf(read([refused, completed()], role).reader)).toBe(isTied ? 'permissionDenied' : null)
    expect(kindOf(read([refused, call({ message: 'no such task' }), completed()], role).reader)).toBeNull()
  })
})

describe('a line of megabytes', () => {
  const cut = (record: object): AgentEvent[] => {
    const reader = codexReader({ role: 'implementer', prompt: '' }, () => NOW)
    reader.line(JSON.stringify(item('command_execution', { command: 'x' }, 'item.started')))
    const events: AgentEvent[] = []
    const lines = startLines(100_000, (line) => events.push(...reader.line(line)))
    lines.add(Buffer.from(`${JSON.stringify(record)}\n`))
    return events
  }

  it('is a message by its beginning', () => {
    const [event] = cut(item('agent_message', { text: `begin "q" ${'é'.repeat(200_000)}` }))
    expect(event).toMatchObject({ type: 'text', text: expect.stringMatching(/^begin "q" é+… the rest is left out$/) })
  })

  it('is the result of the tool that it belongs to', () => {
    const [event] = cut(item('command_execution', { command: 'x', aggregated_output: 'y'.repeat(200_000) }))
    expect(event).toMatchObject({ type: 'toolResult', tool: 'shell', output: expect.stringMatching(/^y+… the rest/) })
  })
})
