import { expect, it } from 'vitest'
import type { Build } from '../../core/builds/build.ts'
import type { RecordedFact } from '../../core/fact/fact.ts'
import type { BuildId, IdeaId } from '../../core/values/id.ts'
import { piecesOf } from './feed-piece.ts'

const build = { id: 'b_1' as BuildId, idea: 'shop' as IdeaId } as Build
const failed = (seq: number, length: number): RecordedFact => ({
  seq,
  at: 0,
  fact: { type: 'buildFailed', error: 'x'.repeat(length) },
})

it('what follows each other is sent together, as long as it is short; one that is long goes alone', () => {
  const facts = [failed(1, 20_000), failed(2, 20_000), failed(3, 200_000), failed(4, 10), failed(5, 10)]
  const pieces = piecesOf(build, facts)
  expect(pieces.map(({ facts: own, last }) => [own.map(({ fact }) => fact.seq), last])).toEqual([
    [[1, 2], 2],
    [[3], 3],
    [[4, 5], 5],
  ])
  expect(JSON.parse(pieces[2]?.facts[0]?.json ?? '')).toEqual({
    ...{ type: 'buildFailed', seq: 4, at: 0, sessionId: 'b_1', ideaId: 'shop', error: 'xxxxxxxxxx' },
  })
  expect(piecesOf(build, [])).toEqual([])
})
