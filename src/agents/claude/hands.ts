// Tools that a session was refused. Most refusals are harmless: the agent wanted to fetch a page, was told no, and went
// on. What must not pass for work is a session whose hands were tied: every edit and every command refused, or every
// call of our own tools. One that worked once was free to work, and the checks judge what came of it.

const EDITS_AND_COMMANDS = new Set(['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

export const OUR_TOOLS = 'mcp__ralph__'

type Hand = 'work' | 'ours'

function handOf(tool: string): Hand | null {
  if (EDITS_AND_COMMANDS.has(tool)) return 'work'
  return tool.startsWith(OUR_TOOLS) ? 'ours' : null
}

export interface Hands {
  /** A tool has answered, be it that it was refused. */
  readonly used: (tool: string) => void
  /** The needed tools that never were allowed to work, from all that were refused. */
  readonly tied: (refused: readonly string[]) => readonly string[]
}

export function watchHands(): Hands {
  const uses: Record<Hand, number> = { work: 0, ours: 0 }
  return {
    used: (tool) => {
      const hand = handOf(tool)
      if (hand !== null) uses[hand] += 1
    },
    tied: (refused) =>
      (['work', 'ours'] as const).flatMap((hand) => {
        const tools = refused.filter((tool) => handOf(tool) === hand)
        return tools.length > 0 && tools.length >= uses[hand] ? [...new Set(tools)] : []
      }),
  }
}
