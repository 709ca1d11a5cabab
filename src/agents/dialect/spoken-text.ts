// What an agent says comes in bits of any length. Shown are whole lines, as they are complete; the final message is all
// that was said since it last did something else, its beginning and its end.
import { type Capture, outputText, startCapture } from '../../process/captured.ts'
import type { AgentEvent } from '../agent.ts'

/** UTF-16 units that may wait for the end of their line. */
const HELD_MAX = 65_536

export interface SpokenText {
  readonly add: (bit: string) => AgentEvent[]
  /** The message is over: what comes next is another one. */
  readonly end: () => AgentEvent[]
  /** The last message that said anything. */
  readonly finalMessage: () => string
}

export function spokenText(type: 'text' | 'thinking'): SpokenText {
  let held = ''
  let message: Capture | null = null
  let isOver = false
  const shown = (text: string): AgentEvent[] => (text.trim() === '' ? [] : [{ type, text }])
  return {
    finalMessage: () => (message === null ? '' : outputText(message.captured()).trim()),
    add: (bit) => {
      if (bit === '') return []
      if (message === null || (isOver && bit.trim() !== '')) message = startCapture()
      isOver = false
      message.add(Buffer.from(bit))
      const end = bit.lastIndexOf('\n')
      if (end === -1 && held.length + bit.length <= HELD_MAX) {
        held += bit
        return []
      }
      const ready = end === -1 ? held + bit : held + bit.slice(0, end)
      held = end === -1 ? '' : bit.slice(end + 1)
      return shown(ready)
    },
    end: () => {
      const rest = held
      held = ''
      isOver = true
      return shown(rest)
    },
  }
}
