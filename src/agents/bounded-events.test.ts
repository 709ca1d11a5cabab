import { describe, expect, it } from 'vitest'
import type { AgentEvent } from './agent.ts'
import { boundedEvents, EVENT_TEXT_MAX, SHOWN_MAX } from './bounded-events.ts'

const usage: AgentEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: null } }

describe('bounded events', () => {
  const long = 'x'.repeat(EVENT_TEXT_MAX + 5)
  const cut = `${'x'.repeat(EVENT_TEXT_MAX)}… 5 characters left out`
  it.each<[AgentEvent, AgentEvent]>([
    [
      { type: 'text', text: 'short' },
      { type: 'text', text: 'short' },
    ],
    [
      { type: 'text', text: long },
      { type: 'text', text: cut },
    ],
    [
      { type: 'thinking', text: long },
      { type: 'thinking', text: cut },
    ],
    [
      { type: 'log', text: long },
      { type: 'log', text: cut },
    ],
    [
      { type: 'toolUse', tool: long, input: long },
      { type: 'toolUse', tool: cut, input: cut },
    ],
    [
      { type: 'toolResult', tool: 'run', output: long, isError: true },
      { type: 'toolResult', tool: 'run', output: cut, isError: true },
    ],
    [usage, usage],
  ])('cut a text that is too long: %#', (event, expected) => {
    const seen: AgentEvent[] = []
    boundedEvents((one) => seen.push(one)).emit(event)
    expect(seen).toEqual([expected])
  })

  it.each<[string, AgentEvent]>([
    ['long texts', { type: 'text', text: long }],
    ['empty lines', { type: 'log', text: '' }],
  ])('end with one sentence in a flood of %s; only usage is still passed on', (_, event) => {
    let count = 0
    let units = 0
    let last: AgentEvent | null = null
    const events = boundedEvents((one) => {
      count += 1
      units += JSON.stringify(one).length
      last = one
    })
    while (!events.isFull()) events.emit(event)
    expect(last).toEqual({ type: 'log', text: 'It says more than is shown; the rest is left out.' })
    expect(units).toBeLessThan(SHOWN_MAX * 1.1)
    const before = count
    events.emit(event)
    expect(count).toBe(before)
    events.emit(usage)
    expect({ count, last }).toEqual({ count: before + 1, last: usage })
  })
})
