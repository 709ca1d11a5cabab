import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommitId } from '../../../core/values/id.ts'
import { startGit } from '../command/git.ts'
import { moveLooseRefs } from './loose-refs.ts'
import { madeRepository } from '../../../../test/rig/git-repository.ts'
import { deleteRefs, moveRefs, readRef, writeRef } from './refs.ts'

async function madeRefs() {
  const made = await madeRepository()
  const repo = join(made.folder, '.git')
  const first = (await made.git('rev-parse', 'HEAD')) as CommitId
  const second = (await made.commit({ 'c.txt': '3' })) as CommitId
  return { made, repo, git: startGit(made.env), first, second }
}

it('reads what git wrote, loose or packed, and nothing else', async () => {
  const { made, repo, first, second } = await madeRefs()
  await made.git('update-ref', 'refs/x/loose', first)
  expect(await readRef(repo, 'refs/x/loose')).toBe(first)
  await made.git('pack-refs', '--all')
  expect(await readRef(repo, 'refs/x/loose')).toBe(first)
  expect(await readRef(repo, 'x/loose')).toBe(null)
  await made.git('update-ref', 'refs/x/loose', second)
  expect(await readRef(repo, 'refs/x/loose')).toBe(second)
  expect(await readRef(repo, 'refs/x')).toBe(null)
  expect(await readRef(repo, 'refs/x/loose/deeper')).toBe(null)
  await writeFile(join(repo, 'refs/x/torn'), first.slice(0, 20))
  expect(await readRef(repo, 'refs/x/torn')).toBe(null)
})

it('writes what git reads', async () => {
  const { made, repo, first } = await madeRefs()
  await writeRef(repo, 'refs/y/some/deep/name', first)
  expect(await made.git('rev-parse', 'refs/y/some/deep/name')).toBe(first)
})

describe('moving refs', () => {
  it('compares and swaps all of them, or none', async () => {
    const { repo, git, first, second } = await madeRefs()
    const one = 'refs/x/one'
    const two = 'refs/x/two'
    expect(await moveRefs(git, repo, [{ name: one, to: first, from: null }])).toBe(true)
    expect(await moveRefs(git, repo, [{ name: one, to: second, from: null }])).toBe(false)
    const both = [
      { name: two, to: second, from: null },
      { name: one, to: second, from: second },
    ]
    expect(await moveRefs(git, repo, both)).toBe(false)
    expect([await readRef(repo, one), await readRef(repo, two)]).toEqual([first, null])
    expect(await moveRefs(git, repo, [{ name: two, to: second, from: first }])).toBe(false)
    expect(await moveRefs(git, repo, [{ name: one, to: second, from: first }])).toBe(true)
    await deleteRefs(git, repo, [one])
    expect(await readRef(repo, one)).toBe(null)
  })

  it('moves them without git where they are plain, and with git where they are not', async () => {
    const { made, repo, git, first, second } = await madeRefs()
    const names = ['refs/x/one', 'refs/x/two']
    const moves = (to: CommitId, from: CommitId | null) => names.map((name) => ({ name, to, from }))
    const standing = () => Promise.all(names.map((name) => made.git('rev-parse', name)))
    expect(await moveLooseRefs(repo, moves(first, null))).toBe(null)
    expect(await moveRefs(git, repo, moves(first, null))).toBe(true)
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
    expect(await moveRefs(git, repo, [one, two])).toBe(true)
    expect(await standing()).toEqual([first, first])
    expect(await readdir(join(repo, 'refs/x'))).toEqual(['one', 'two'])
  })

  it('lets one of many win, beside a git that moves them too', async () => {
    const { made, repo, git, first, second } = await madeRefs()
    const name = 'refs/x/one'
    await made.git('update-ref', name, first)
    for (let round = 0, from = first, to = second; round < 10; round += 1, [from, to] = [to, from]) {
      const answers = await Promise.all([
        made.git('update-ref', name, to, from).then(
          () => true,
          () => false,
        ),
        ...Array.from({ length: 3 }, () => moveRefs(git, repo, [{ name, to, from }])),
      ])
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await readRef(repo, name)).toBe(to)
    }
  })

  it('gets past a lock that a killed git left behind', async () => {
    const { repo, git, first } = await madeRefs()
    await mkdir(join(repo, 'refs/x'), { recursive: true })
    await writeFile(join(repo, 'refs/x/one.lock'), '')
    expect(await moveRefs(git, repo, [{ name: 'refs/x/one', to: first, from: null }])).toBe(true)
    await expect(stat(join(repo, 'refs/x/one.lock'))).rejects.toThrow('ENOENT')
  })

  it('says what is broken', async () => {
    const { repo, git } = await madeRefs()
    const nowhere = 'f'.repeat(40) as CommitId
    await expect(moveRefs(git, repo, [{ name: 'refs/x/one', to: nowhere, from: null }])).rejects.toThrow(/git|damaged/)
  })
})
