import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommitId } from '../../core/id.ts'
import { startGit } from './git.ts'
import { madeRepository } from './made-repository.ts'
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
