import { expect, it } from 'vitest'
import type { BuildId, IdeaId } from '../core/values/id.ts'
import type { Piece } from '../operations/feed/feed-piece.ts'
import { pieceBytes, textFrame } from './feed-bytes.ts'

const heads: [length: number, head: string][] = [
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
]

it.for(heads)('a message of %i bytes has its length in front', ([length, head]) => {
  const payload = Buffer.alloc(length, 'x')
  expect(textFrame(payload).map(String)).toEqual([Buffer.from(head, 'hex').toString(), payload.toString()])
  expect(textFrame(payload)[0].toString('hex')).toBe(head)
})

it('a piece is put into bytes once for each format', () => {
  const about = { at: 0, sessionId: 'b_1' as BuildId, ideaId: 'shop' as IdeaId }
  const fact = { type: 'buildComplete', seq: 3, ...about } as const
  const piece: Piece = { facts: [{ fact, json: '{"a":"ä"}' }], last: 3 }
  expect(pieceBytes(piece, 'frames').toString('hex')).toBe(`810a${Buffer.from('{"a":"ä"}').toString('hex')}`)
  expect(pieceBytes(piece, 'events').toString()).toBe('id: b_1:3\nevent: buildComplete\ndata: {"a":"ä"}\n\n')
  expect(pieceBytes(piece, 'frames')).toBe(pieceBytes(piece, 'frames'))
})
