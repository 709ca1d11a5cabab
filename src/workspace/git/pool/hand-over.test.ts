import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import type { TaskId, TreeId } from '../../../core/values/id.ts'
import type { Harvest, Workspaces } from '../../workspace.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

/** No task can have it: there is white space in it. */
const SEAT = 'seat 1' as TaskId

async function madeBuild() {
  const made = await madeRepository()
  const ws = await made.open()
  return { made, ws, start: await ws.startBuild(BUILD) }
}

function treeIn(harvest: Harvest): TreeId {
  return harvest.taken ? harvest.tree : expect.fail(harvest.reason)
}

const content = (folder: string, name: string) => readFile(join(folder, name), 'utf8')

/** One iteration on the task leaves a tree, and the branch moves on without it. */
async function workedOn(ws: Workspaces): Promise<TreeId> {
  const first = await ws.acquire(BUILD, TASK, null, 'fresh')
  await fillFolder(first.folder, { 'a.txt': 'step 1', 'new.txt': 'n' })
  const tree = treeIn(await ws.harvest(first, markOf(1)))
  const other = await ws.acquire(BUILD, 'other' as TaskId, null, 'fresh')
  await fillFolder(other.folder, { 'other.txt': 'o' })
  const landing = treeIn(await ws.harvest(other, markOf(1, 'other' as TaskId)))
  await ws.commitToBranch(BUILD, other.base, landing, messageFor(markOf(1, 'other' as TaskId)), '{}')
  await ws.release(other)
  return tree
}

describe('handing a folder over', () => {
  it('leaves a new task the folder as it is, with its work in it', async () => {
    const { ws, start } = await madeBuild()
    const seat = await ws.acquire(BUILD, SEAT, null, 'fresh')
    await fillFolder(seat.folder, { 'early.txt': 'e' })
    const handed = await ws.handOver(seat, TASK, null, 'fresh')
    expect(handed).toEqual({ folder: seat.folder, build: BUILD, task: TASK, base: start.commit })
    expect(await content(handed.folder, 'early.txt')).toBe('e')
    expect([await ws.find(BUILD, SEAT), await ws.find(BUILD, TASK)]).toEqual([null, handed])
    const tree = treeIn(await ws.harvest(handed, markOf(1)))
    expect(await ws.baseOf(BUILD, TASK, tree)).toBe(start.commit)
  })

  it('brings the work of the task into the folder, on the commit that it stands on, and gives its old folder back', async () => {
    const { made, ws, start } = await madeBuild()
    const tree = await workedOn(ws)
    const old = await ws.find(BUILD, TASK)
    const seat = await ws.acquire(BUILD, SEAT, null, 'fresh')
    const { ino } = await stat(seat.folder)
    expect(existsSync(join(seat.folder, 'other.txt'))).toBe(true)
    const handed = await ws.handOver(seat, TASK, tree, 'fresh')
    expect(handed).toEqual({ folder: seat.folder, build: BUILD, task: TASK, base: start.commit })
    // Whoever works in it stays where it is.
    expect((await stat(handed.folder)).ino).toBe(ino)
    expect([await content(handed.folder, 'a.txt'), await content(handed.folder, 'new.txt')]).toEqual(['step 1', 'n'])
    expect(existsSync(join(handed.folder, 'other.txt'))).toBe(false)
    expect(await gitIn(handed.folder, { PATH: made.env['PATH'] ?? '' }, ['rev-parse', 'HEAD'])).toBe(start.commit)
    expect((await ws.acquire(BUILD, SEAT, null, 'fresh')).folder).toBe(old?.folder)
  })

  it('loses nothing that was written before', async () => {
    const { ws } = await madeBuild()
    const tree = await workedOn(ws)
    const seat = await ws.acquire(BUILD, SEAT, null, 'fresh')
    await fillFolder(seat.folder, { 'early.txt': 'e' })
    await ws.handOver(seat, TASK, tree, 'fresh')
    const [pin] = (await ws.pins()).filter(({ task }) => task === SEAT)
    expect(pin).toMatchObject({ attempt: 0 })
  })

  it('takes up what a killed process left in the folder of the task', async () => {
    const { made, ws, start } = await madeBuild()
    const program = `
      const { openGitWorkspaces } = await import(${JSON.stringify(join(import.meta.dirname, '../open.ts'))})
      const { writeFileSync } = await import('node:fs')
      const [state, gitDir, folder] = process.argv.slice(2)
      const ws = await openGitWorkspaces({ stateFolder: state, user: { commonDir: gitDir, gitDir, worktree: folder }, env: process.env })
      const seat = await ws.acquire('b_1', 'seat 1', null, 'fresh')
      const { folder: its } = await ws.handOver(seat, 't-1', null, 'fresh')
      writeFileSync(its + '/half.txt', 'h')
      process.kill(process.pid, 'SIGKILL')`
    await fillFolder(made.state, { 'killed.mjs': program })
    const { spawnSync } = await import('node:child_process')
    const { signal } = spawnSync(
      execPath,
      [join(made.state, 'killed.mjs'), made.state, join(made.folder, '.git'), made.folder],
      { env: made.env },
    )
    expect(signal).toBe('SIGKILL')
    const seat = await ws.acquire(BUILD, SEAT, null, 'fresh')
    const handed = await ws.handOver(seat, TASK, null, 'keep')
    expect(handed).toEqual({ folder: seat.folder, build: BUILD, task: TASK, base: start.commit })
    expect(await content(handed.folder, 'half.txt')).toBe('h')
  })
})
