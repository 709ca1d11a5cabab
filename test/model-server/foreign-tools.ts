// Scenarios are written with the tools of Claude Code; other agents have other tools for the same. This translates
// requests and calls, so that one scenario plays for all.
import type { Ask, Message, ToolResult } from './ask.ts'
import type { Scenario } from './scenario.ts'
import type { Piece, Reply, Turn } from './turn.ts'

interface Tongue {
  /** Where the agent tells the model in which folder it works. */
  readonly folder: RegExp
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Piece
  /** The result of a command without what the agent puts around it. */
  readonly bare: (text: string) => string
}

/** Claude Code by the Agent Client Protocol: its own tools, but pieces of text that run together. */
const claudeAcp: Tongue = {
  folder: /^ ?- Primary working directory: (.*)$/m,
  call: (tool, input) => ({ call: tool, input: { ...input, ...whole(input['command']) } }),
  bare: (text) => text,
}

/** A tool's parent is Claude Code; the agent is the parent of that. */
function whole(command: unknown): { command?: string } {
  if (typeof command !== 'string') return {}
  return { command: command.replace(/^kill (-\w+) \$PPID/, 'kill $1 $(cut -d" " -f4 /proc/$PPID/stat) $PPID') }
}

const gemini: Tongue = {
  folder: /\*\*Workspace Directories:\*\*\n\s*- (.*)$/m,
  call: (tool, input) => {
    if (tool === 'Bash') return { call: 'run_shell_command', input: { description: 'A step', ...input } }
    if (tool === 'Write') return { call: 'write_file', input }
    return { call: tool.replace(/^mcp__ralph__/, 'mcp_ralph_'), input }
  },
  bare: (text) =>
    /^Output: (.*?)\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): /ms.exec(text)?.[1] ?? text,
}

const opencode: Tongue = {
  folder: /Working directory: (.*)$/m,
  call: (tool, input) => {
    if (tool === 'Bash') return { call: 'bash', input: { description: 'A step', command: late(input['command']) } }
    if (tool === 'Write') return { call: 'write', input: { filePath: input['file_path'], content: input['content'] } }
    return { call: tool.replace(/^mcp__ralph__/, 'ralph_'), input }
  },
  bare: (text) => text.replace(/<(?:bash|shell)_metadata>.*$/s, ''),
}

/** It prints what was said some time after it: a command that kills it comes later still. */
function late(command: unknown): string {
  return `${command}`.replace(/^kill -/, 'sleep 3; kill -')
}

const tongues: Readonly<Record<string, Tongue>> = { gemini, opencode, 'claude-acp': claudeAcp }

/** An agent that is not known speaks as Claude Code. */
export function inTongueOf(agent: string, scenario: Scenario): Scenario {
  const tongue = tongues[agent]
  return tongue === undefined ? scenario : (ask) => said(scenario(understood(ask, tongue)), tongue)
}

function understood(ask: Ask, { folder, bare }: Tongue): Ask {
  const told = [ask.system, ...ask.messages.flatMap(({ texts }) => texts)].join('\n')
  const plain = (result: ToolResult): ToolResult => ({ ...result, text: bare(result.text) })
  return {
    ...ask,
    system: `${ask.system}\n- Primary working directory: ${folder.exec(told)?.[1] ?? ''}\n`,
    messages: ask.messages.map((message): Message => ({ ...message, results: message.results.map(plain) })),
  }
}

function said(turn: Turn, { call }: Tongue): Turn {
  if (!('says' in turn)) return turn
  const says = turn.says.map((piece, at) => {
    if ('call' in piece) return call(piece.call, piece.input)
    return 'text' in piece && isFollowedByText(turn, at) ? { text: `${piece.text}\n` } : piece
  })
  return { ...turn, says }
}

/** Pieces of text in a row would run together. */
function isFollowedByText({ says }: Reply, at: number): boolean {
  const next = says[at + 1]
  return next !== undefined && 'text' in next
}
