// Turns as the Gemini API says them: whole, or as server-sent events, each with a part of the answer.
import type { Ask } from './ask.ts'
import { bits } from './bits.ts'
import { type Piece, type Reply, TOKENS } from './turn.ts'
import { type Answer, json } from './wire.ts'

export function wholeGemini(reply: Reply, ask: Ask, id: number): Answer {
  const parts = reply.says.map((piece, at) => part(piece, id, at))
  return json(200, { candidates: [last(reply, parts)], ...tail(reply, ask, id) })
}

export function* geminiEvents(reply: Reply, ask: Ask, id: number): Generator<string> {
  for (const [at, piece] of reply.says.entries())
    for (const one of partsOf(piece, id, at))
      yield event({ candidates: [{ content: { role: 'model', parts: [one] }, index: 0 }], ...head(ask, id) })
  // The real API ends with a separate part that holds the reason.
  yield event({ candidates: [last(reply, [{ text: '' }])], ...tail(reply, ask, id) })
}

export function event(value: object): string {
  // As the real one does: its clients take both for the end of a line.
  const json = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return `data: ${json}\r\n\r\n`
}

function* partsOf(piece: Piece, id: number, at: number): Generator<object> {
  if ('text' in piece) for (const text of bits(piece.text)) yield { text }
  else yield part(piece, id, at)
}

function part(piece: Piece, id: number, at: number): object {
  if ('text' in piece) return { text: piece.text }
  if ('thinking' in piece) return { text: piece.thinking, thought: true }
  return { functionCall: { id: `call_${id}_${at}`, name: piece.call, args: piece.input }, thoughtSignature: 'c2lnbmVk' }
}

function last({ stops }: Reply, parts: readonly object[]): object {
  const finishReason = stops === undefined ? 'STOP' : stops === 'length' ? 'MAX_TOKENS' : 'SAFETY'
  return { content: { role: 'model', parts }, finishReason, index: 0 }
}

function head({ model }: Ask, id: number): object {
  return { modelVersion: model, responseId: `resp_${id}` }
}

function tail(reply: Reply, ask: Ask, id: number): object {
  const { input, output, cacheRead, cacheWrite } = { ...TOKENS, ...reply.tokens }
  const promptTokenCount = input + cacheRead + cacheWrite
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount: output,
    totalTokenCount: promptTokenCount + output,
    ...(cacheRead === 0 ? {} : { cachedContentTokenCount: cacheRead }),
  }
  return { usageMetadata, ...head(ask, id) }
}
