// For tests: what moving refs promises, whoever does it.
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommitId } from '../../../core/values/id.ts'
import { startGit } from '../command/git.ts'
import type { FastPath } from './fast-path.ts'
import { madeRepository } from '../../../../test/rig/git-repository.ts'
import { deleteRefs, moveRefs, readRef, writeRef } from './refs.ts'

export async function madeRefs(fast: FastPath) {
  const made = await madeRepository()
  const repo = join(made.folder, '.git')
  const first = (await made.git('rev-parse', 'HEAD')) as CommitId
  const second = (await made.commit({ 'c.txt': '3' })) as CommitId
  return { made, repo, context: { git: startGit(made.env), fast, paths: { repo } }, first, second }
}

export function refsConformance(fast: FastPath): void {
  it('reads what git wrote, loose or packed, and nothing else', async () => {
    const { made, repo, first, second } = await madeRefs(fast)
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
    const { made, context, first } = await madeRefs(fast)
    await writeRef(context, 'refs/y/some/deep/name', first)
    expect(await made.git('rev-parse', 'refs/y/some/deep/name')).toBe(first)
  })

  describe('moving refs', () => {
    it('compares and swaps all of them, or none', async () => {
      const { repo, context, first, second } = await madeRefs(fast)
      const one = 'refs/x/one'
      const two = 'refs/x/two'
      expect(await moveRefs(context, [{ name: one, to: first, from: null }])).toBe(true)
      expect(await moveRefs(context, [{ name: one, to: second, from: null }])).toBe(false)
      const both = [
        { name: two, to: second, from: null },
        { name: one, to: second, from: second },
      ]
      expect(await moveRefs(context, both)).toBe(false)
      expect([await readRef(repo, one), await readRef(repo, two)]).toEqual([first, null])
      expect(await moveRefs(context, [{ name: two, to: second, from: first }])).toBe(false)
      expect(await moveRefs(context, [{ name: one, to: second, from: first }])).toBe(true)
      await deleteRefs(context, [one])
      expect(await readRef(repo, one)).toBe(null)
    })

    it('lets one of many win, beside a git that moves them too', async () => {
      const { made, repo, context, first, second } = await madeRefs(fast)
      const name = 'refs/x/one'
      await made.git('update-ref', name, first)
      for (let round = 0, from = first, to = second; round < 10; round += 1, [from, to] = [to, from]) {
        const answers = await Promise.all([
          made.git('update-ref', name, to, from).then(
            () => true,
            () => false,
          ),
          ...Array.from({ length: 3 }, () => moveRefs(context, [{ name, to, from }])),
        ])
        expect(answers.filter(Boolean)).toHaveLength(1)
        expect(await readRef(repo, name)).toBe(to)
      }
    })

    it('gets past a lock that a killed git left behind', async () => {
      const { repo, context, first } = await madeRefs(fast)
      await mkdir(join(repo, 'refs/x'), { recursive: true })
      await writeFile(join(repo, 'refs/x/one.lock'), '')
      expect(await moveRefs(context, [{ name: 'refs/x/one', to: first, from: null }])).toBe(true)
      await expect(stat(join(repo, 'refs/x/one.lock'))).rejects.toThrow('ENOENT')
    })

    it('says what is broken', async () => {
      const { context } = await madeRefs(fast)
      const nowhere = 'f'.repeat(40) as CommitId
      await expect(moveRefs(context, [{ name: 'refs/x/one', to: nowhere, from: null }])).rejects.toThrow(/git|damaged/)
    })
  })
}
