// Scenarios are written with the tools of Claude Code; Codex has other tools for the same. This translates requests and
// calls, so that one scenario plays for both.
import { gzipSync } from 'node:zlib'
import type { Ask, Message, ToolResult } from './ask.ts'
import type { Scenario } from './scenario.ts'
import type { Piece, Turn } from './turn.ts'

export function forCodex(scenario: Scenario): Scenario {
  return (ask) => said(scenario(understood(ask)))
}

/** The prompt names the folder, and results have a heading. */
function understood(ask: Ask): Ask {
  const folder = ask.messages
    .flatMap(({ texts }) => texts)
    .flatMap((text) => /<cwd>(.*)<\/cwd>/.exec(text)?.[1] ?? [])[0]
  return {
    ...ask,
    system: `${ask.system}\n- Primary working directory: ${folder ?? ''}\n`,
    messages: ask.messages.map((message): Message => ({ ...message, results: message.results.map(bare) })),
  }
}

function bare(result: ToolResult): ToolResult {
  const [heading = '', ...rest] = result.text.split(/^Output:\n?/m)
  const code = /exited with code (\d+)/.exec(heading)?.[1] ?? '0'
  return {
    ...result,
    text: rest.length === 0 ? heading : rest.join('Output:\n').replace(/^\n/, ''),
    isError: code !== '0',
  }
}

function said(turn: Turn): Turn {
  // One that calls nothing stays what it is: some are known by identity.
  if (!('says' in turn) || !turn.says.some((one) => 'call' in one)) return turn
  return { ...turn, says: turn.says.map(piece) }
}

/** The longest that a command may take before the model is asked what to do about it. */
const PATIENCE_MS = 30_000

function piece(one: Piece): Piece {
  if (!('call' in one)) return one
  const command = commandOf(one.call, one.input)
  return command === null ? one : { call: 'exec_command', input: { cmd: command, yield_time_ms: PATIENCE_MS } }
}

function commandOf(tool: string, input: Readonly<Record<string, unknown>>): string | null {
  if (tool === 'Bash') return String(input['command'])
  if (tool !== 'Write') return null
  const path = quoted(String(input['file_path']))
  // One argument holds 128 KiB.
  const content = gzipSync(String(input['content'])).toString('base64')
  return `mkdir -p "$(dirname ${path})" && printf %s ${content} | base64 -d | gzip -d > ${path}`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
