// Reads a line of megabytes only where it matters. Almost all of it is the result of a tool, twice: for the model
// and for the CLI. Only the beginning of a result is shown, so only the beginning is decoded. Keys are found by
// their exact text: every quote inside a JSON string is escaped, so no text can imitate a key.
import { SHOWN_MAX, textFrom } from '../shared/cut-line.ts'

export interface LongResult {
  readonly id: string
  readonly output: string
  readonly isError: boolean
}

const USER = '{"type":"user","message":'

/** Null: the line does not have exactly one tool result, or has an unknown form. */
export function longToolResult(line: string): LongResult | null {
  if (!line.startsWith(USER)) return null
  const block = line.indexOf('"type":"tool_result"')
  if (block === -1 || line.includes('"type":"tool_result"', block + 1)) return null
  const id = stringAfter(line, '"tool_use_id":', 0)
  const content = line.indexOf('"content":', block)
  if (id === null || content === -1) return null
  const kept = line.indexOf('"tool_use_result":', block)
  const fault = line.indexOf('"is_error":true')
  const output = beginningOf(line, content + '"content":'.length)
  return { id, output, isError: fault !== -1 && (kept === -1 || fault < kept) }
}

export interface LongUse {
  readonly id: string
  readonly tool: string
  readonly input: string
}

/** The tool use of a message whose input is too long to be read whole. */
export function longToolUse(line: string): LongUse | null {
  const block = line.indexOf('{"type":"tool_use","id":')
  if (!line.startsWith('{"type":"assistant","message":') || block === -1) return null
  const id = stringAfter(line, '"id":', block)
  const tool = stringAfter(line, '"name":', block)
  const input = line.indexOf('"input":', block)
  if (id === null || tool === null || input === -1) return null
  const from = input + '"input":'.length
  return { id, tool, input: `${line.slice(from, from + SHOWN_MAX)}… the rest is left out` }
}

/** The beginning of a message that is too long. */
export function longText(line: string): string | null {
  const block = line.indexOf('{"type":"text","text":"')
  if (!line.startsWith('{"type":"assistant","message":') || block === -1) return null
  return beginningOf(line, block + '{"type":"text","text":'.length)
}

export function isLongEnding(line: string): boolean {
  return line.includes('"permission_denials":[') || line.startsWith('{"type":"result"')
}

function stringAfter(line: string, key: string, from: number): string | null {
  const at = line.indexOf(`${key}"`, from)
  const end = at === -1 ? -1 : line.indexOf('"', at + key.length + 1)
  return end === -1 ? null : line.slice(at + key.length + 1, end)
}

/** Of the text, or of the first text in a list of blocks. */
function beginningOf(line: string, at: number): string {
  const text = line[at] === '"' ? at + 1 : line.indexOf('"text":"', at) + '"text":"'.length
  if (line[at] !== '"' && line.slice(at, text).length > 200) return '(no text)'
  return textFrom(line, text)
}
