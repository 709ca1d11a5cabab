// Messages as they go over the network. The bytes of a piece are made once for each format and shared by its readers.
import type { Piece, WordedFact } from '../operations/feed/feed-piece.ts'

/** WebSocket frames, or server-sent events. */
export type Format = 'frames' | 'events'

export interface FeedMessage {
  /** Where a reader goes on after this message; null where the feed has no places. */
  readonly id: string | null
  readonly type: string
  readonly json: string
}

const cached: Readonly<Record<Format, WeakMap<Piece, Buffer>>> = { frames: new WeakMap(), events: new WeakMap() }

export function pieceBytes(piece: Piece, format: Format): Buffer {
  const known = cached[format].get(piece)
  if (known !== undefined) return known
  const bytes = messageBytes(piece.facts.map(messageOf), format)
  cached[format].set(piece, bytes)
  return bytes
}

function messageOf({ fact, json }: WordedFact): FeedMessage {
  return { id: `${fact.sessionId}:${fact.seq}`, type: fact.type, json }
}

export function messageBytes(messages: readonly FeedMessage[], format: Format): Buffer {
  if (format === 'events') return Buffer.from(messages.map(eventText).join(''))
  return Buffer.concat(messages.flatMap(({ json }) => textFrame(Buffer.from(json))))
}

function eventText({ id, type, json }: FeedMessage): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${json}\n\n`
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
