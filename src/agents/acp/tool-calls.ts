// Collects the tool calls of an agent, which arrive in parts: first the call, often later its input, at last its
// result. A call is shown once its input is known or it has begun.
import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { AgentEvent } from '../agent.ts'
import { type Fields, fields, list, text } from '../shared/fields.ts'

/** Open calls at the same time; older ones have lost their end. */
const CALLS_MAX = 1_000

interface KnownCall {
  tool: string
  input: string
  isShown: boolean
}

export interface ToolCalls {
  /** A `tool_call`, a `tool_call_update`, or the call of a permission request. */
  readonly update: (call: Fields) => AgentEvent[]
}

export function toolCalls(): ToolCalls {
  const calls = new BoundedMap<string, KnownCall>(CALLS_MAX)
  return {
    update: (call) => {
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

/** The command of a shell tool, all arguments of any other. */
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
