// Turns as the Anthropic Messages API says them: whole, or as server-sent events in the order of the real one.
import type { Ask } from './ask.ts'
import { bits } from './bits.ts'
import { type Piece, type Reply, TOKENS } from './turn.ts'
import { type Answer, json } from './wire.ts'

export function wholeMessage(reply: Reply, ask: Ask, id: number): Answer {
  const message = {
    ...head(ask, id),
    content: reply.says.map((piece, at) => ({ ...opening(piece, id, at), ...closed(piece) })),
    stop_reason: stopReason(reply),
    usage: usage(reply),
  }
  return json(200, message, { 'request-id': `req_${id}` })
}

export function* messageEvents(reply: Reply, ask: Ask, id: number): Generator<string> {
  const message = { ...head(ask, id), content: [], stop_reason: null, usage: { ...usage(reply), output_tokens: 1 } }
  yield event('message_start', { message })
  for (const [index, piece] of reply.says.entries()) {
    yield event('content_block_start', { index, content_block: opening(piece, id, index) })
    if (index === 0) yield event('ping', {})
    for (const delta of deltas(piece)) yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index })
  }
  const delta = { stop_reason: stopReason(reply), stop_sequence: null }
  yield event('message_delta', { delta, usage: usage(reply) })
  yield event('message_stop', {})
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function head({ model }: Ask, id: number): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null }
}

function opening(piece: Piece, id: number, at: number): object {
  if ('text' in piece) return { type: 'text', text: '' }
  if ('thinking' in piece) return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: `toolu_${id}_${at}`, name: piece.call, input: {} }
}

function closed(piece: Piece): object {
  if ('text' in piece) return { text: piece.text }
  if ('thinking' in piece) return { thinking: piece.thinking, signature: 'c2lnbmVk' }
  return { input: piece.input }
}

function* deltas(piece: Piece): Generator<object> {
  if ('text' in piece) for (const text of bits(piece.text)) yield { type: 'text_delta', text }
  else if ('thinking' in piece) {
    for (const thinking of bits(piece.thinking)) yield { type: 'thinking_delta', thinking }
    yield { type: 'signature_delta', signature: 'c2lnbmVk' }
  } else
    for (const partial of bits(JSON.stringify(piece.input))) yield { type: 'input_json_delta', partial_json: partial }
}

function stopReason({ says, stops }: Reply): string {
  if (stops !== undefined) return stops === 'length' ? 'max_tokens' : 'refusal'
  return says.some((piece) => 'call' in piece) ? 'tool_use' : 'end_turn'
}

function usage({ tokens }: Reply): object {
  const { input, output, cacheRead, cacheWrite } = { ...TOKENS, ...tokens }
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}
