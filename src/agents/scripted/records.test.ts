import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../agent.ts'
import { type ProgramRecord, recordLine } from '../shared/records.ts'
import { playerReader } from './records.ts'

const events: AgentEvent[] = [
  { type: 'text', text: 'a\nb' },
  { type: 'thinking', text: '' },
  { type: 'log', text: 'l' },
  { type: 'toolUse', tool: 'run', input: 'ls' },
  { type: 'toolResult', tool: 'run', output: 'x', isError: true },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 } },
]

describe('records', () => {
  it('are read as they were said', () => {
    const reader = playerReader()
    expect(events.flatMap((event) => reader.line(recordLine(event).trimEnd()))).toEqual(events)
    expect(reader.usage()).toEqual({ inputTokens: 1, outputTokens: 2, costUsd: 0.5 })
    expect(reader.result()).toBeNull()
  })

  it.each<ProgramRecord>([
    { type: 'result', finalMessage: 'done' },
    { type: 'result', failure: { kind: 'rateLimit', sentence: 's', until: 5 } },
  ])('end with the first result: %j', (result) => {
    const reader = playerReader()
    expect(reader.line(recordLine(result).trimEnd())).toEqual([])
    reader.line(recordLine({ type: 'result', finalMessage: 'again' }).trimEnd())
    expect(reader.result()).toEqual(result)
  })

  it('are cut at any byte without harm: what is no record is text', () => {
    const whole = recordLine({ type: 'result', finalMessage: 'done' }).trimEnd()
    for (let at = 1; at < whole.length; at += 1) {
      const reader = playerReader()
      expect(reader.line(whole.slice(0, at))).toEqual([{ type: 'text', text: whole.slice(0, at) }])
      expect(reader.result()).toBeNull()
    }
  })

  it.each([
    '{"type":"text"}',
    '{"type":"verdict","ok":true}',
    '{"type":"usage","usage":{"inputTokens":"1","outputTokens":1,"costUsd":null}}',
    '{"type":"usage","usage":null}',
    '{"type":"toolResult","tool":"x","output":"y"}',
    '{"type":"result"}',
    '{"type":"result","failure":{"kind":"bored","sentence":"s","until":null}}',
    '{"type":"result","failure":null}',
    'plain',
    ' {"type":"text","text":"x"}',
  ])('of another shape are text: %s', (line) => {
    const reader = playerReader()
    expect(reader.line(line)).toEqual([{ type: 'text', text: line }])
    expect([reader.result(), reader.usage().inputTokens]).toEqual([null, 0])
  })

  it('may stand among empty lines', () => {
    expect(playerReader().line('')).toEqual([])
  })
})
