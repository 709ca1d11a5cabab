// An agent's text arrives in pieces of any length. Complete lines are shown one by one. The final message is the
// text since the last tool call: its beginning and its end.
import { type Capture, outputText, startCapture } from '../../system/process/head-tail-buffer.ts'
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
  const shown = (lines: readonly string[]): AgentEvent[] =>
    lines.filter((line) => line.trim() !== '').map((text) => ({ type, text }))
  return {
    finalMessage: () => (message === null ? '' : outputText(message.captured()).trim()),
    add: (bit) => {
      if (bit === '') return []
      if (message === null || (isOver && bit.trim() !== '')) message = startCapture()
      isOver = false
      message.add(Buffer.from(bit))
      const lines = bit.split('\n')
      const [first = '', last = ''] = [lines[0], lines.at(-1)]
      if (lines.length === 1 && held.length + first.length <= HELD_MAX) {
        held += first
        return []
      }
      const begun = held + first
      held = lines.length === 1 ? '' : last
      return shown([begun, ...lines.slice(1, -1)])
    },
    end: () => {
      const rest = held
      held = ''
      isOver = true
      return shown([rest])
    },
  }
}
