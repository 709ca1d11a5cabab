// The tools that an agent uses, from what it tells of them bit by bit: first that there is a call, often later with what,
// at last what came of it. A use is shown once it is known what it is, or that it has begun.
import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { AgentEvent } from '../agent.ts'
import { type Fields, fields, list, text } from '../shared/fields.ts'

/** At the same time; of what is beyond, the end was lost. */
const CALLS_MAX = 1_000

interface Known {
  tool: string
  input: string
  isShown: boolean
}

export interface ToolCalls {
  /** A `tool_call` or a `tool_call_update`, or the call that a permission is asked for. */
  readonly told: (call: Fields) => AgentEvent[]
}

export function toolCalls(): ToolCalls {
  const calls = new BoundedMap<string, Known>(CALLS_MAX)
  return {
    told: (call) => {
      const id = text(call['toolCallId'])
      const known = calls.get(id) ?? { tool: '', input: '', isShown: false }
      calls.set(id, known)
      known.tool = text(call['name']) || known.tool || text(call['kind'])
      known.input = inputOf(call) || known.input || text(call['title'])
      const status = text(call['status'])
      const isOver = status === 'completed' || status === 'failed'
      const isKnown = inputOf(call) !== '' || isOver || status === 'in_progress'
      const events: AgentEvent[] = []
      const tool = known.tool || 'tool'
      if (!known.isShown && isKnown) {
        known.isShown = true
        events.push({ type: 'toolUse', tool, input: known.input })
      }
      if (isOver) {
        calls.delete(id)
        events.push({ type: 'toolResult', tool, output: outputOf(call), isError: status === 'failed' })
      }
      return events
    },
  }
}

/** Of a command the command, of all else every argument. */
function inputOf({ rawInput }: Fields): string {
  const command = fields(rawInput)['command']
  if (typeof command === 'string') return command
  if (typeof rawInput === 'string') return rawInput
  return Object.keys(fields(rawInput)).length === 0 ? '' : JSON.stringify(rawInput)
}

function outputOf({ content, rawOutput }: Fields): string {
  const said = list(content).map((value) => {
    const block = fields(value)
    if (block['type'] === 'diff') return `(changed ${text(block['path'])})`
    const inner = fields(block['content'])
    return text(inner['text']) || `(${text(inner['type']) || text(block['type'])})`
  })
  if (said.length > 0) return said.join('\n')
  if (typeof rawOutput === 'string') return rawOutput
  return rawOutput === undefined || rawOutput === null ? '' : JSON.stringify(rawOutput)
}
