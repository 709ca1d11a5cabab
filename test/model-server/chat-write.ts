// Turns as a chat-completions API says them: whole, or as server-sent events.
import type { Ask } from './ask.ts'
import { type Piece, type Reply, TOKENS } from './turn.ts'
import { type Answer, json } from './wire.ts'

/** In UTF-16 units. */
const BIT_LENGTH_MAX = 65_536

export function wholeChat(reply: Reply, ask: Ask, id: number): Answer {
  const calls = callsIn(reply, id)
  const message = {
    role: 'assistant',
    content: textsIn(reply).join('\n\n') || null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const choice = { index: 0, message, finish_reason: finishReason(reply) }
  return json(200, { ...head(ask, id, 'chat.completion'), choices: [choice], usage: usage(reply) })
}

export function* chatEvents(reply: Reply, ask: Ask, id: number): Generator<string> {
  const top = head(ask, id, 'chat.completion.chunk')
  const chunk = (delta: object, finish: string | null = null): string =>
    event({ ...top, choices: [{ index: 0, delta, finish_reason: finish }] })
  yield chunk({ role: 'assistant', content: '' })
  for (const thought of reply.says.flatMap((piece) => ('thinking' in piece ? [piece.thinking] : [])))
    yield chunk({ reasoning_content: thought })
  for (const content of bits(textsIn(reply).join('\n\n'))) yield chunk({ content })
  for (const [index, { id: callId, function: called }] of callsIn(reply, id).entries()) {
    yield chunk({
      tool_calls: [{ index, id: callId, type: 'function', function: { name: called.name, arguments: '' } }],
    })
    for (const part of bits(called.arguments)) yield chunk({ tool_calls: [{ index, function: { arguments: part } }] })
  }
  yield chunk({}, finishReason(reply))
  yield event({ ...top, choices: [], usage: usage(reply) })
  yield 'data: [DONE]\n\n'
}

function event(fields: object): string {
  return `data: ${JSON.stringify(fields)}\n\n`
}

function head({ model }: Ask, id: number, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: 1_700_000_000, model }
}

function textsIn({ says }: Reply): string[] {
  return says.flatMap((piece) => ('text' in piece ? [piece.text] : []))
}

function callsIn({ says }: Reply, id: number) {
  const called = says.filter((piece): piece is Extract<Piece, { call: string }> => 'call' in piece)
  return called.map(({ call, input }, at) => ({
    id: `call_${id}_${at}`,
    type: 'function',
    function: { name: call, arguments: JSON.stringify(input) },
  }))
}

function* bits(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + BIT_LENGTH_MAX
    // A character outside the basic plane is two units, which stay together.
    const whole = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end
    yield text.slice(at, whole)
    at = whole
  }
}

function finishReason({ says, stops }: Reply): string {
  if (stops !== undefined) return stops === 'length' ? 'length' : 'content_filter'
  return says.some((piece) => 'call' in piece) ? 'tool_calls' : 'stop'
}

function usage({ tokens }: Reply): object {
  const { input, output, cacheRead } = { ...TOKENS, ...tokens }
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  }
}
