// Turns as the OpenAI Responses API says them: whole, or as server-sent events in the order of the real one.
import type { Ask } from './ask.ts'
import { type Piece, type Reply, TOKENS } from './turn.ts'
import { type Answer, json } from './wire.ts'

/** Of a text or of a tool's input, in UTF-16 units. */
const BIT_LENGTH = 65_536

export function wholeResponse(reply: Reply, ask: Ask, id: number): Answer {
  return json(200, response(reply, ask, id), { 'x-request-id': `req_${id}` })
}

export function* responseEvents(reply: Reply, ask: Ask, id: number): Generator<string> {
  const begun = { ...head(ask, id), status: 'in_progress', output: [] }
  yield event('response.created', { response: begun })
  for (const [at, piece] of reply.says.entries()) {
    yield event('response.output_item.added', { output_index: at, item: opening(piece, id, at) })
    yield* deltas(piece, { item_id: itemId(piece, id, at), output_index: at })
    yield event('response.output_item.done', { output_index: at, item: item(piece, id, at) })
  }
  const type = reply.stops === undefined ? 'response.completed' : 'response.incomplete'
  yield event(type, { response: response(reply, ask, id) })
}

export function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function head({ model }: Ask, id: number): object {
  return { id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, model, error: null }
}

function response(reply: Reply, ask: Ask, id: number): object {
  const { stops } = reply
  const reason = stops === 'length' ? 'max_output_tokens' : 'content_filter'
  return {
    ...head(ask, id),
    status: stops === undefined ? 'completed' : 'incomplete',
    incomplete_details: stops === undefined ? null : { reason },
    output: reply.says.map((piece, at) => item(piece, id, at)),
    usage: usage(reply),
  }
}

function itemId(piece: Piece, id: number, at: number): string {
  return `${'text' in piece ? 'msg' : 'thinking' in piece ? 'rs' : 'fc'}_${id}_${at}`
}

function opening(piece: Piece, id: number, at: number): object {
  const whole = item(piece, id, at)
  if ('text' in piece) return { ...whole, status: 'in_progress', content: [] }
  return 'thinking' in piece ? { ...whole, summary: [] } : { ...whole, status: 'in_progress', arguments: '' }
}

function item(piece: Piece, id: number, at: number): object {
  const named = { id: itemId(piece, id, at) }
  if ('text' in piece) {
    const content = [{ type: 'output_text', text: piece.text, annotations: [] }]
    return { ...named, type: 'message', role: 'assistant', status: 'completed', content }
  }
  if ('thinking' in piece)
    return { ...named, type: 'reasoning', summary: [{ type: 'summary_text', text: piece.thinking }] }
  return {
    ...named,
    type: 'function_call',
    status: 'completed',
    call_id: `call_${id}_${at}`,
    ...toolName(piece.call),
    arguments: JSON.stringify(piece.input),
  }
}

/** A tool of an MCP server is called by the name of its server and its own. */
function toolName(tool: string): { readonly name: string; readonly namespace?: string } {
  const [, namespace, name] = /^(mcp__.+?)__(.+)$/.exec(tool) ?? []
  return namespace === undefined || name === undefined ? { name: tool } : { namespace, name }
}

function* deltas(piece: Piece, place: object): Generator<string> {
  const [type, words] =
    'text' in piece
      ? (['response.output_text.delta', piece.text] as const)
      : 'thinking' in piece
        ? (['response.reasoning_summary_text.delta', piece.thinking] as const)
        : (['response.function_call_arguments.delta', JSON.stringify(piece.input)] as const)
  const within = 'text' in piece ? { content_index: 0 } : 'thinking' in piece ? { summary_index: 0 } : {}
  for (let at = 0; at < words.length; at += BIT_LENGTH)
    yield event(type, { ...place, ...within, delta: words.slice(at, at + BIT_LENGTH) })
}

function usage({ tokens }: Reply): object {
  const { input, output, cacheRead, cacheWrite } = { ...TOKENS, ...tokens }
  const all = input + cacheRead + cacheWrite
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: all + output,
  }
}
