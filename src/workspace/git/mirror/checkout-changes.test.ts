import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  BUILD,
  TASK,
  type MadeRepository,
  madeRepository,
  markOf,
  messageFor,
} from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const NOTHING = { refs: [], paths: [] }

describe("changes of the user's checkout", () => {
  it.each<[name: string, change: (made: MadeRepository) => Promise<unknown>, refs: string[], paths: string[]]>([
    ['nothing', async () => {}, [], []],
    ['a tracked file is edited', ({ folder }) => fillFolder(folder, { 'a.txt': 'x' }), [], ['a.txt']],
    ['a file that was dirty already', ({ folder }) => fillFolder(folder, { 'src/b.txt': 'x' }), [], ['src/b.txt']],
    ['a dirty file is put back', ({ git }) => git('checkout', '--quiet', '.'), [], ['src/b.txt']],
    ['a tracked file is deleted', ({ folder }) => rm(join(folder, 'a.txt')), [], ['a.txt']],
    ['something is staged', ({ git }) => git('add', '--all'), [], ['src/b.txt']],
    ['untracked and ignored files', ({ folder }) => fillFolder(folder, { 'new.txt': 'x', '.env': 'x' }), [], []],
    ['the times of a clean file', ({ folder }) => utimes(join(folder, 'a.txt'), 1, 1), [], []],
    ['a commit', ({ commit }) => commit({ 'a.txt': 'x' }), ['refs/heads/main'], ['src/b.txt']],
    ['another branch', ({ git }) => git('switch', '--quiet', '-c', 'mine'), ['HEAD', 'refs/heads/mine'], []],
    ['a tag', ({ git }) => git('tag', 'v1'), ['refs/tags/v1'], []],
    ['a branch is deleted', ({ git }) => git('branch', '--delete', 'old'), ['refs/heads/old'], []],
    ['refs are packed', ({ git }) => git('pack-refs', '--all'), [], []],
    ['where a remote stands', ({ git }) => git('update-ref', 'refs/remotes/origin/main', 'HEAD'), [], []],
  ])('%s', async (_, change, refs, paths) => {
    const made = await madeRepository()
    await made.git('branch', 'old')
    await writeFile(join(made.folder, 'src/b.txt'), 'dirty from the start\n')
    const ws = await made.open()
    expect(await ws.checkoutChanges([])).toEqual(NOTHING)
    await change(made)
    expect(await ws.checkoutChanges([])).toEqual({ refs, paths })
    expect(await ws.checkoutChanges([])).toEqual(NOTHING)
  })

  it('are none where a build does its own work', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    await ws.checkoutChanges([])
    const { commit } = await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, { 'a.txt': 'x' })
    const harvest = await ws.harvest(workspace, markOf())
    await ws.commitToBranch(BUILD, commit, harvest.taken ? harvest.tree : expect.fail(), messageFor(markOf()), '{}')
    await ws.release(workspace)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    await fillFolder(made.folder, { 'a.txt': 'the file that was named' })
    expect(await ws.checkoutChanges(['a.txt'])).toEqual(NOTHING)
  })
})
