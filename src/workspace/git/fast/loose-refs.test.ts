import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CommitId } from '../../../core/values/id.ts'
import { madeRefs, refsConformance } from '../repository/refs.conformance.ts'
import { moveRefs } from '../repository/refs.ts'
import { fastPath } from './fast-path.ts'
import { moveLooseRefs } from './loose-refs.ts'

refsConformance(fastPath)

it('moves them without git where they are plain, and with git where they are not', async () => {
  const { made, repo, context, first, second } = await madeRefs(fastPath)
  const names = ['refs/x/one', 'refs/x/two']
  const moves = (to: CommitId, from: CommitId | null) => names.map((name) => ({ name, to, from }))
  const standing = () => Promise.all(names.map((name) => made.git('rev-parse', name)))
  expect(await moveLooseRefs(repo, moves(first, null))).toBe(null)
  expect(await moveRefs(context, moves(first, null))).toBe(true)
  expect(await moveLooseRefs(repo, moves(second, first))).toBe('moved')
  expect(await standing()).toEqual([second, second])
  const [one, two] = moves(first, second)
  if (one === undefined || two === undefined) throw new Error('there are two')
  expect(await moveLooseRefs(repo, [one, { ...two, from: first }])).toBe('elsewhere')
  await writeFile(join(repo, 'refs/x/two.lock'), '')
  expect(await moveLooseRefs(repo, [one, two])).toBe(null)
  await rm(join(repo, 'refs/x/two.lock'))
  await made.git('symbolic-ref', 'refs/x/two', 'refs/x/three')
  expect(await moveLooseRefs(repo, [one, two])).toBe(null)
  await made.git('symbolic-ref', '--delete', 'refs/x/two')
  await made.git('update-ref', 'refs/x/two', second)
  expect(await moveLooseRefs(repo, [one, { ...two, to: 'f'.repeat(40) as CommitId }])).toBe(null)
  await made.git('pack-refs', '--all')
  expect(await moveLooseRefs(repo, [one, two])).toBe(null)
  expect(await standing()).toEqual([second, second])
  expect(await moveRefs(context, [one, two])).toBe(true)
  expect(await standing()).toEqual([first, first])
  expect(await readdir(join(repo, 'refs/x'))).toEqual(['one', 'two'])
})
