// A message longer than 1 MiB, of which only the beginning is kept. The beginning identifies it, because agents
// write the short fields first. Every quote inside a JSON string is escaped, so no text can imitate a key.
import { textFrom, wordIn } from '../shared/cut-line.ts'
import type { Fields } from '../shared/fields.ts'

/** The message as far as its beginning shows it; empty where it shows nothing. */
export function cutMessage(line: string): Fields {
  const id = idOf(line)
  if (id !== null) return idMessage(line, id)
  const update = wordIn(line, 'sessionUpdate')
  if (update === null) return {}
  return { method: 'session/update', params: { sessionId: wordIn(line, 'sessionId'), update: updateOf(line, update) } }
}

function idMessage(line: string, id: number | string): Fields {
  const method = wordIn(line, 'method')
  if (method !== null) return { id, method, isCut: true }
  const stopReason = wordIn(line, 'stopReason')
  return stopReason === null
    ? { id, error: { message: 'the answer is longer than 1 MiB' } }
    : { id, result: { stopReason } }
}

function updateOf(line: string, sessionUpdate: string): Fields {
  const toolCallId = wordIn(line, 'toolCallId')
  if (toolCallId === null) return { sessionUpdate, content: { type: 'text', text: `${beginning(line)}\n` } }
  const known = { kind: wordIn(line, 'kind'), title: wordIn(line, 'title'), name: wordIn(line, 'name') }
  if (sessionUpdate === 'tool_call')
    return { sessionUpdate, toolCallId, ...known, rawInput: LEFT_OUT, status: 'pending' }
  // Only the result of a tool is so long; its status may be in the missing part.
  const status = wordIn(line, 'status') === 'failed' ? 'failed' : 'completed'
  const content = [{ type: 'content', content: { type: 'text', text: beginning(line) } }]
  return { sessionUpdate, toolCallId, ...known, status, content }
}

const LEFT_OUT = '(more than 1 MiB, left out)'

/** Before `params`; an id at the end is missing, and the message is then not one that we know. */
function idOf(line: string): number | string | null {
  const end = line.search(/"(?:params|result|error)":/)
  const found = /"id":(?:(\d{1,15})|"([^"\\]{1,200})")/.exec(line.slice(0, end === -1 ? 400 : end))
  if (found === null) return null
  return found[1] === undefined ? (found[2] ?? null) : Number(found[1])
}

/** Of the first text in it. */
function beginning(line: string): string {
  const at = line.indexOf('"text":"')
  return at === -1 ? '' : textFrom(line, at + '"text":"'.length)
}
