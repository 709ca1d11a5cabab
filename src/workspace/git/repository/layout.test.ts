import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BuildId, TaskId } from '../../../core/values/id.ts'
import { branchRef, decodeId, encodeId, layoutOf, pinRef } from './layout.ts'
import { gitIn, madeRepository } from '../../../../test/rig/git-repository.ts'

const ODD_IDS = [
  'a/b',
  '..',
  'x.lock',
  '@{',
  '@',
  '%',
  '%2F',
  'ä—日本',
  '-x',
  'a b',
  '.x',
  'x.',
  '~^:?*[\\',
  'HEAD',
  'a\u00a0b',
]
const anyId = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'binary-ascii', minLength: 1 }))

describe('encoded', () => {
  it.each([
    ['TASK-1_x', 'TASK-1_x'],
    ['a/b', 'a%2Fb'],
    ['v1.2', 'v1%2E2'],
    ['100%', '100%25'],
    ['ä', '%C3%A4'],
  ])('%s is %s', (id, part) => {
    expect(encodeId(id)).toBe(part)
    expect(decodeId(part)).toBe(id)
  })

  it('keeps any two ids apart', () => {
    fc.assert(fc.property(anyId, anyId, (one, other) => (encodeId(one) === encodeId(other)) === (one === other)))
  })

  it('keeps long ids apart, and fits them into a file name', () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        const parts = [one, other].map((end) => encodeId('語'.repeat(120) + end))
        expect(parts.every((part) => part.length <= 200)).toBe(true)
        expect(parts[0] === parts[1]).toBe(one === other)
      }),
    )
  })

  it('gives refs that git takes', async () => {
    const { folder, env } = await madeRepository()
    for (const id of [...ODD_IDS, '語'.repeat(128), 'x'.repeat(128)]) {
      const mark = { build: id as BuildId, task: id as TaskId, attempt: 1, iteration: 2 }
      for (const ref of [pinRef(mark), branchRef(mark.build)]) {
        await gitIn(folder, env, ['update-ref', ref, 'HEAD'])
        expect(await gitIn(folder, env, ['rev-parse', ref])).toBe(await gitIn(folder, env, ['rev-parse', 'HEAD']))
      }
    }
  })
})

it('puts the folders where it is told', () => {
  const { repo, owners, pools } = layoutOf('/state', '/elsewhere')
  expect({ repo, owners, pools }).toEqual({
    repo: '/state/repo.git',
    owners: '/state/owners',
    pools: { workspaces: '/elsewhere/workspaces', checkouts: '/elsewhere/checkouts', loans: '/elsewhere/loans' },
  })
})
