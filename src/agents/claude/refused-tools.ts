// Tools that a session was refused. Most refusals are harmless: the agent tried to fetch a page, was refused, and
// continued. But a session that could do nothing is not work: every edit and every command was refused, or every
// call of our own tools. If one call worked, the session was free to work, and the checks judge the result.

const EDITS_AND_COMMANDS = new Set(['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

export const OUR_TOOLS = 'mcp__ralph__'

type ToolKind = 'work' | 'ours'

function kindOf(tool: string): ToolKind | null {
  if (EDITS_AND_COMMANDS.has(tool)) return 'work'
  return tool.startsWith(OUR_TOOLS) ? 'ours' : null
}

export interface ToolUse {
  /** A tool has answered, also with a refusal. */
  readonly used: (tool: string) => void
  /** The needed tools of which no use was allowed. */
  readonly blocked: (refused: readonly string[]) => readonly string[]
}

export function watchToolUse(): ToolUse {
  const uses: Record<ToolKind, number> = { work: 0, ours: 0 }
  return {
    used: (tool) => {
      const kind = kindOf(tool)
      if (kind !== null) uses[kind] += 1
    },
    blocked: (refused) =>
      (['work', 'ours'] as const).flatMap((kind) => {
        const tools = refused.filter((tool) => kindOf(tool) === kind)
        return tools.length > 0 && tools.length >= uses[kind] ? [...new Set(tools)] : []
      }),
  }
}
