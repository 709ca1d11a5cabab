// The tools that are running, by the ids under which their results arrive.
import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { AgentEvent } from '../agent.ts'
import { type ToolUse, watchToolUse } from './refused-tools.ts'

/** Tools at the same time; older ones have lost their result. */
const TOOLS_MAX = 1_000

export interface ToolsInHand {
  readonly begin: (id: string, tool: string, input: string) => AgentEvent
  /** Ignores an unknown use: it would end the wait for another tool. */
  readonly finish: (id: string, output: string, isError: boolean) => AgentEvent[]
  readonly blocked: ToolUse['blocked']
}

export function toolsInHand(): ToolsInHand {
  const names = new BoundedMap<string, string>(TOOLS_MAX)
  const toolUse = watchToolUse()
  return {
    blocked: toolUse.blocked,
    begin: (id, tool, input) => {
      names.set(id, tool)
      return { type: 'toolUse', tool, input }
    },
    finish: (id, output, isError) => {
      const tool = names.get(id)
      if (tool === undefined) return []
      names.delete(id)
      // The CLI's own message where the tool was not started.
      if (!output.startsWith('<tool_use_error>')) toolUse.used(tool)
      return [{ type: 'toolResult', tool, output, isError }]
    },
  }
}
