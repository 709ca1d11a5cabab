// Facts as they go over the network: made once for each piece and each way, and shared by all who read it.
import type { Piece, WordedFact } from '../operations/feed/feed-piece.ts'

export type Way = 'frames' | 'events'

const made: Readonly<Record<Way, WeakMap<Piece, Buffer>>> = { frames: new WeakMap(), events: new WeakMap() }

const forms: Readonly<Record<Way, (facts: readonly WordedFact[]) => Buffer>> = {
  frames: (facts) => Buffer.concat(facts.flatMap(({ json }) => textFrame(Buffer.from(json)))),
  events: (facts) => Buffer.from(facts.map(eventText).join('')),
}

export function bytesOf(piece: Piece, way: Way): Buffer {
  const known = made[way].get(piece)
  if (known !== undefined) return known
  const bytes = forms[way](piece.facts)
  made[way].set(piece, bytes)
  return bytes
}

function eventText({ fact, json }: WordedFact): string {
  return `id: ${fact.sessionId}:${fact.seq}\nevent: ${fact.type}\ndata: ${json}\n\n`
}

const WHOLE_TEXT = 0x81
const [SHORT_MAX, MIDDLE_MAX] = [125, 0xffff]
const [MIDDLE, LONG] = [126, 127]

/** RFC 6455, section 5.2: one unmasked text message in one frame, its length in 7, 16 or 64 bits. */
export function textFrame(payload: Buffer): [head: Buffer, payload: Buffer] {
  const { length } = payload
  if (length <= SHORT_MAX) return [Buffer.from([WHOLE_TEXT, length]), payload]
  const head = Buffer.alloc(length <= MIDDLE_MAX ? 4 : 10)
  head[0] = WHOLE_TEXT
  head[1] = length <= MIDDLE_MAX ? MIDDLE : LONG
  if (length <= MIDDLE_MAX) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return [head, payload]
}
