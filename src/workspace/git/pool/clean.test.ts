import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { BuildId, TaskId } from '../../../core/values/id.ts'
import { BUILD, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const DONE = 'b/done' as BuildId

/** One build that is over, and one that goes on; each with a folder, a pin and a landed commit. */
async function madeBuilds() {
  const made = await madeRepository()
  const ws = await made.open()
  const folders: Partial<Record<BuildId, string>> = {}
  for (const build of [DONE, BUILD]) {
    const start = await ws.startBuild(build)
    const workspace = await ws.acquire(build, 't' as TaskId, null, 'fresh')
    await fillFolder(workspace.folder, { [`by ${build.replace('/', '-')}`]: 'x' })
    const mark = markOf(1, 't' as TaskId, 1, build)
    const harvest = await ws.harvest(workspace, mark)
    await ws.commitToBranch(build, start.commit, harvest.taken ? harvest.tree : start.tree, messageFor(mark), '{}')
    await ws.mirror(build)
    folders[build] = workspace.folder
  }
  return { made, ws, folders }
}

it('removes what no unfinished build needs, after saying what', async () => {
  const { made, ws, folders } = await madeBuilds()
  // What this process holds, it may still use: only another process may find it unneeded.
  await ws.release({ folder: '', build: DONE, task: 't' as TaskId, base: '' as never })
  const { tree } = await ws.head(BUILD)
  ;(await ws.checkout(tree)).free()
  const kept = await ws.clean([BUILD], 'dry')
  expect(kept).toEqual([{ what: '1 pins of build b/done', bytes: 0 }])
  expect((await ws.pins()).length).toBe(2)
  expect(await ws.clean([BUILD], 'remove')).toEqual(kept)
  expect(await ws.pins()).toMatchObject([{ build: BUILD }])
  expect(await made.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toBe('refs/ralph/attempts/b_1/t/1/1')
  // Landed work is never forgotten.
  expect((await ws.head(DONE)).tree).toBeTruthy()
  expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
  expect(existsSync(folders[BUILD] ?? '')).toBe(true)
})

it('removes folders, but none that a living process has', async () => {
  const { ws, folders, made } = await madeBuilds()
  expect((await ws.clean([], 'dry')).map(({ what }) => what)).toEqual(['1 pins of build b/done', '1 pins of build b_1'])
  for (const build of [DONE, BUILD]) await ws.release({ folder: '', build, task: 't' as TaskId, base: '' as never })
  const removed = await ws.clean([], 'remove')
  expect(removed.map(({ what }) => what)).toEqual([
    'workspaces/1',
    'workspaces/2',
    '1 pins of build b/done',
    '1 pins of build b_1',
  ])
  expect(removed[0]?.bytes).toBeGreaterThan(0)
  expect(existsSync(folders[BUILD] ?? '')).toBe(false)
  expect(await readdir(join(made.state, 'workspaces'))).toEqual([])
  expect(await ws.clean([], 'dry')).toEqual([])
  // And all goes on from there.
  const workspace = await ws.acquire(BUILD, 't2' as TaskId, null, 'fresh')
  await writeFile(join(workspace.folder, 'x'), 'x')
  expect(await ws.harvest(workspace, markOf(1, 't2' as TaskId))).toMatchObject({ taken: true })
})

it('removes what a crash left, once it is a day old', async () => {
  const { made, ws } = await madeBuilds()
  await fillFolder(made.state, {
    'repo.git.new-abc/HEAD': '',
    'index.abc': '',
    'scratch/x/index': '',
    'workspaces/77/file': 'xy',
    'workspaces/77.git/HEAD': '',
    [`owners/${'d'.repeat(32)}.json`]: '{}',
  })
  const dead = { what: '1 notes of dead processes', bytes: 0 }
  expect(await ws.clean([BUILD, DONE], 'dry')).toEqual([dead])
  const tomorrow = await made.open({ now: () => Date.now() + 25 * 3_600_000 })
  const removed = await tomorrow.clean([BUILD, DONE], 'remove')
  expect(removed.map(({ what }) => what).sort()).toEqual(
    ['repo.git.new-abc', 'index.abc', 'scratch/x', 'workspaces/77', 'workspaces/77.git', dead.what].sort(),
  )
  expect(removed).toContainEqual({ what: 'workspaces/77', bytes: 2 })
  expect(await tomorrow.clean([BUILD, DONE], 'dry')).toEqual([])
})
