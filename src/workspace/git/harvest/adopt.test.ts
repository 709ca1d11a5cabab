import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TaskId } from '../../../core/values/id.ts'
import type { Harvest } from '../../workspace.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

/** Another task was merged meanwhile; the task to be resolved stands on that. */
async function madeWaiting() {
  const made = await madeRepository()
  const ws = await made.open()
  const start = await ws.startBuild(BUILD)
  const other = await ws.acquire(BUILD, 'other' as TaskId, null, 'fresh')
  await fillFolder(other.folder, { 'merged.txt': 'merged\n' })
  const harvest = await ws.harvest(other, markOf(1, 'other' as TaskId))
  await ws.commitToBranch(
    BUILD,
    start.commit,
    harvest.taken ? harvest.tree : start.tree,
    messageFor(markOf(1, 'other' as TaskId)),
    '{}',
  )
  await ws.release(other)
  const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
  const content = async (adopted: Harvest) => {
    const tree = adopted.taken ? adopted.tree : expect.fail(adopted.reason)
    const paths = (await made.engine('ls-tree', '-r', '--name-only', tree)).split('\n')
    const texts = paths.map(async (path) => [path, await made.engine('cat-file', 'blob', `${tree}:${path}`)])
    return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
  }
  return { made, ws, workspace, content }
}

const FIXED = {
  '.gitignore': 'node_modules/\n*.log\n.env',
  'a.txt': 'fixed',
  'src/b.txt': 'two',
  'merged.txt': 'merged',
}

describe('a fix is taken', () => {
  it('sees an edit of the same length that came within the second in which the folder was made', async () => {
    const { ws, workspace, content } = await madeWaiting()
    const path = join(workspace.folder, 'a.txt')
    const second = async () => Math.floor((await stat(path)).ctimeMs / 1000)
    for (let made = -1; made !== (await second());) {
      await rm(path)
      await ws.acquire(BUILD, TASK, (await ws.head(BUILD)).tree, 'fresh')
      made = await second()
      await writeFile(path, 'two\n')
    }
    // Whoever reads in a later second knows no more than those times.
    while (Math.floor(Date.now() / 1000) === (await second())) await sleep(50)
    expect(await content(await ws.adopt({ folder: workspace.folder }, markOf(2)))).toMatchObject({ 'a.txt': 'two' })
  })

  it('from the folder of the task, also by another process', async () => {
    const { made, workspace, content } = await madeWaiting()
    await writeFile(join(workspace.folder, 'a.txt'), 'fixed')
    const context = await made.open()
    expect(await content(await context.adopt({ folder: workspace.folder }, markOf(2)))).toEqual(FIXED)
    expect((await context.pins())[0]).toMatchObject(markOf(2))
    expect(await context.baseOf(BUILD, TASK, (await context.head(BUILD)).tree)).toBe(workspace.base)
  })

  it('from the user’s own checkout, with what was merged meanwhile, and without a trace there', async () => {
    const { made, ws, content } = await madeWaiting()
    await fillFolder(made.folder, { 'a.txt': 'fixed', 'x.log': 'ignored' })
    const before = [await made.git('status', '--porcelain'), await made.git('count-objects')]
    expect(await content(await ws.adopt({ folder: made.folder }, markOf(2)))).toEqual(FIXED)
    expect([await made.git('status', '--porcelain'), await made.git('count-objects')]).toEqual(before)
  })

  it('from a checkout with the user’s own line ends and filters', async () => {
    const { made, ws, content } = await madeWaiting()
    await made.git('config', 'filter.upper.clean', 'tr a-z A-Z')
    await fillFolder(made.folder, {
      '.gitattributes': '*.txt text eol=crlf\nsrc/*.up filter=upper\n',
      'a.txt': 'fixed\r\n',
      'src/x.up': 'loud',
    })
    expect(await content(await ws.adopt({ folder: made.folder }, markOf(2)))).toMatchObject({
      'a.txt': 'fixed',
      'src/x.up': 'LOUD',
    })
  })

  it('from a linked worktree, a branch and a commit', async () => {
    const { made, ws, content } = await madeWaiting()
    await made.git('worktree', 'add', '--quiet', '-b', 'fix', '../wt')
    const folder = join(made.folder, '..', 'wt')
    await writeFile(join(folder, 'a.txt'), 'fixed')
    expect(await content(await ws.adopt({ folder }, markOf(2)))).toEqual(FIXED)
    await gitIn(folder, made.env, ['commit', '--quiet', '--all', '--message', 'fix'])
    expect(await content(await ws.adopt({ ref: 'fix' }, markOf(3)))).toEqual(FIXED)
    const commit = await made.git('rev-parse', 'fix')
    expect(await content(await ws.adopt({ ref: commit.slice(0, 10) }, markOf(4)))).toEqual(FIXED)
    expect(await made.engine('rev-list', 'refs/ralph/attempts/b_1/t-1/1/4')).toContain(commit)
  })

  it('from any folder, as it is', async () => {
    const { made, ws, content } = await madeWaiting()
    const folder = join(made.folder, '..', 'anywhere')
    await mkdir(folder)
    await fillFolder(folder, { 'a.txt': 'all there is' })
    expect(await content(await ws.adopt({ folder }, markOf(2)))).toEqual({ 'a.txt': 'all there is' })
  })
})

describe('a fix is refused', () => {
  it('that conflicts', async () => {
    const { made, ws } = await madeWaiting()
    await fillFolder(made.folder, { 'merged.txt': 'mine\n' })
    expect(await ws.adopt({ folder: made.folder }, markOf(2))).toEqual({
      taken: false,
      reason: 'it conflicts with the work on ralph/b_1 in merged.txt; make it on that branch',
    })
  })

  it('that is only a part of a checkout', async () => {
    const { made, ws } = await madeWaiting()
    expect(await ws.adopt({ folder: join(made.folder, 'src') }, markOf(2))).toEqual({
      taken: false,
      reason: `${made.folder}/src is only a part of a checkout; name ${made.folder}`,
    })
  })

  it('that no harvest would take', async () => {
    const { ws, workspace, made } = await madeWaiting()
    await fillFolder(workspace.folder, { 'nested/x': '' })
    await gitIn(join(workspace.folder, 'nested'), made.env, ['init', '--quiet'])
    expect(await ws.adopt({ folder: workspace.folder }, markOf(2))).toMatchObject({ taken: false, reason: /nested/ })
  })

  it.each([
    [{ ref: 'nothing' }, "'nothing' is no commit or branch of this repository"],
    [{ ref: '' }, "'' is no commit or branch of this repository"],
    [{ ref: '--output=/tmp/x' }, "'--output=/tmp/x' is no commit or branch of this repository"],
    [{ folder: '/nowhere/at/all' }, 'cannot read /nowhere/at/all: there is no such folder'],
  ])('%j', async (from, sentence) => {
    const { ws } = await madeWaiting()
    await expect(ws.adopt(from, markOf(2))).rejects.toThrow(sentence)
  })
})

describe('restoring', () => {
  it('writes pinned work into a new folder, byte for byte', async () => {
    const { made, ws, workspace } = await madeWaiting()
    await fillFolder(workspace.folder, { '.gitattributes': '* text eol=crlf\n', 'a.txt': 'x\r\ny\n' })
    await ws.harvest(workspace, markOf())
    const folder = join(made.folder, '..', 'restored')
    await ws.restore('refs/ralph/attempts/b_1/t-1/1/1', folder)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('x\r\ny\n')
    expect(await readFile(join(folder, 'merged.txt'), 'utf8')).toBe('merged\n')
    await ws.restore('b_1/t-1/1/1', `${folder}2`)
    await expect(ws.restore('b_1/t-1/1/1', folder)).rejects.toThrow(`${folder} exists already; name a new folder`)
    await expect(ws.restore('b_1/t-1/1/1', join(folder, 'a.txt'))).rejects.toThrow('exists already; name a new folder')
  })

  it.each(['b_1/t-1/9/9', 'refs/heads/main', '../../../HEAD', 'b_1/t-1', '', '--x'])('knows no pin %j', async (ref) => {
    const { made, ws } = await madeWaiting()
    await expect(ws.restore(ref, join(made.folder, '..', 'r'))).rejects.toThrow(`no work is pinned as '${ref}'`)
  })
})
