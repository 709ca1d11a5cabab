// Limits each text that a session shows, and all of them together. The output limit ends an agent that prints for
// ever; until then, nobody who watches gets too much.
import { cutToLength } from '../core/values/text-bounds.ts'
import type { AgentEvent } from './agent.ts'

/** In UTF-16 units, as are the sums below. */
export const EVENT_TEXT_MAX = 16_384
/** A long session of a talkative agent shows 1 to 2 million. */
export const SHOWN_MAX = 16_000_000
/** The cost of an event beside its text: a flood of empty lines must end too. */
const EVENT_COST = 64

export interface BoundedEvents {
  readonly emit: (event: AgentEvent) => void
  /** From here on only usage is passed on. */
  readonly isFull: () => boolean
}

export function boundedEvents(pass: (event: AgentEvent) => void): BoundedEvents {
  let shown = 0
  return {
    isFull: () => shown > SHOWN_MAX,
    emit: (event) => {
      if (event.type === 'usage') pass(event)
      else if (shown <= SHOWN_MAX) {
        const short = shortened(event)
        shown += EVENT_COST + lengthOf(short)
        pass(short)
        if (shown > SHOWN_MAX) pass({ type: 'log', text: 'It says more than is shown; the rest is left out.' })
      }
    },
  }
}

type SpokenEvent = Exclude<AgentEvent, { type: 'usage' }>

function shortened(event: SpokenEvent): SpokenEvent {
  switch (event.type) {
    case 'text':
    case 'thinking':
    case 'log':
      return { ...event, text: short(event.text) }
    case 'toolUse':
      return { ...event, tool: short(event.tool), input: short(event.input) }
    case 'toolResult':
      return { ...event, tool: short(event.tool), output: short(event.output) }
  }
}

function short(text: string): string {
  if (text.length <= EVENT_TEXT_MAX) return text
  const kept = cutToLength(text, EVENT_TEXT_MAX)
  return `${kept}… ${text.length - kept.length} characters left out`
}

function lengthOf(event: SpokenEvent): number {
  switch (event.type) {
    case 'text':
    case 'thinking':
    case 'log':
      return event.text.length
    case 'toolUse':
      return event.tool.length + event.input.length
    case 'toolResult':
      return event.tool.length + event.output.length
  }
}
