import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import { identify } from '../../../system/process-table/identity.ts'
import { start } from '../../../system/process/spawn.ts'
import type { Harvest, Workspace, Workspaces } from '../../workspace.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder, type Files } from '../../../../test/rig/folder.ts'

const OTHER = 't-2' as TaskId

function treeIn(harvest: Harvest): TreeId {
  return harvest.taken ? harvest.tree : expect.fail(harvest.reason)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort()
}

async function madeBuild(files?: Files) {
  const made = await madeRepository(files)
  const ws = await made.open()
  const start = await ws.startBuild(BUILD)
  return { made, ws, start }
}

/** Another task's work enters the branch. */
async function landSomething(ws: Workspaces, files: Files, task: TaskId): Promise<CommitId> {
  const workspace = await ws.acquire(BUILD, task, null, 'fresh')
  await fillFolder(workspace.folder, files)
  const tree = treeIn(await ws.harvest(workspace, markOf(1, task)))
  const landed = await ws.commitToBranch(BUILD, workspace.base, tree, messageFor(markOf(1, task)), '{}')
  await ws.release(workspace)
  return landed?.commit ?? expect.fail('the branch moved')
}

describe('acquiring a folder', () => {
  it('gives a folder that holds the head, with a git dir in which an agent can work', async () => {
    const { made, ws, start } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    expect(workspace).toEqual({ folder: workspace.folder, build: BUILD, task: TASK, base: start.commit })
    expect(await namesIn(workspace.folder)).toEqual(['.git', '.gitignore', 'a.txt', 'src'])
    const git = (...args: string[]) => gitIn(workspace.folder, { PATH: made.env['PATH'] ?? '' }, args)
    expect(await git('status', '--porcelain')).toBe('')
    expect(await git('rev-parse', 'HEAD')).toBe(start.commit)
    await writeFile(join(workspace.folder, 'a.txt'), 'mine')
    await git('commit', '--quiet', '--all', '--message', 'by the agent')
    expect(await git('log', '--format=%an %s')).toBe('Ada L by the agent\nAda L first')
    expect(await made.engine('rev-list', '--all', '--count')).toBe('1')
  })

  it('keeps what is in it, or makes it anew', async () => {
    const { ws, start } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    const { folder } = workspace
    await fillFolder(folder, {
      'a.txt': 'changed',
      'new.txt': 'n',
      'x.log': 'ignored',
      '.ralph-scratchpad.md': 'notes',
    })
    expect(await ws.acquire(BUILD, TASK, start.tree, 'keep')).toEqual(workspace)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('changed')
    await writeFile(join(folder, '.git', 'config'), 'poison')
    expect(await ws.acquire(BUILD, TASK, start.tree, 'fresh')).toEqual(workspace)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
    expect(await readFile(join(folder, '.git', 'config'), 'utf8')).toContain('[core]')
    expect(await namesIn(folder)).toEqual(['.git', '.gitignore', 'a.txt', 'src', 'x.log'])
  })

  it('goes on from the tree it is given', async () => {
    const { ws, start } = await madeBuild()
    const first = await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(first.folder, 'a.txt'), 'step 1')
    const tree = treeIn(await ws.harvest(first, markOf(1)))
    await ws.release(first)
    await landSomething(ws, { 'other.txt': 'o' }, OTHER)
    const second = await ws.acquire(BUILD, TASK, tree, 'fresh')
    expect(await readFile(join(second.folder, 'a.txt'), 'utf8')).toBe('step 1')
    expect(existsSync(join(second.folder, 'other.txt'))).toBe(false)
    // Not the new head: on that, this tree would take back what was merged.
    expect(second.base).toBe(start.commit)
    expect(await ws.baseOf(BUILD, TASK, tree)).toBe(start.commit)
  })

  it('does not guess what an unknown tree stands on', async () => {
    const { made, ws } = await madeBuild()
    await made.commit({ 'c.txt': '3' })
    const tree = (await made.git('rev-parse', 'HEAD^{tree}')) as TreeId
    await expect(ws.acquire(BUILD, TASK, tree, 'fresh')).rejects.toThrow('nobody knows what tree')
  })

  it('gives a released folder to the next task, and two tasks two folders', async () => {
    const { ws } = await madeBuild()
    const one = await ws.acquire(BUILD, TASK, null, 'fresh')
    const two = await ws.acquire(BUILD, OTHER, null, 'fresh')
    expect(two.folder).not.toBe(one.folder)
    await ws.release(one)
    await ws.release(one)
    expect([await ws.find(BUILD, TASK), await ws.find(BUILD, OTHER)]).toEqual([null, two])
    const three = await ws.acquire(BUILD, 't-3' as TaskId, null, 'fresh')
    expect(three.folder).toBe(one.folder)
  })

  it('changes only what differs', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`d${at % 30}/f${at}.txt`, `file ${at}\n`] as const),
    )
    const { made, ws } = await madeBuild(files)
    const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
    const stamps = async () => {
      const seen = Object.keys(files).map(async (path) => {
        const stats = await stat(join(folder, path), { bigint: true }).catch(() => null)
        return [path, stats === null ? 'gone' : `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs}`] as const
      })
      return new Map(await Promise.all(seen))
    }
    const before = await stamps()
    await rm(join(made.folder, 'd1/f1.txt'))
    await made.commit({ 'd2/f2.txt': 'changed\n', 'd3/new.txt': 'new\n' })
    await ws.startBuild('b_2' as typeof BUILD)
    await ws.release({ ...(await ws.find(BUILD, TASK)) } as Workspace)
    const next = await ws.acquire('b_2' as typeof BUILD, TASK, null, 'fresh')
    expect(next.folder).toBe(folder)
    const after = await stamps()
    const differing = Object.keys(files).filter((path) => before.get(path) !== after.get(path))
    expect(differing.sort()).toEqual(['d1/f1.txt', 'd2/f2.txt'])
    expect(after.get('d1/f1.txt')).toBe('gone')
    expect(await readFile(join(folder, 'd2/f2.txt'), 'utf8')).toBe('changed\n')
    expect(await gitIn(folder, made.env, ['status', '--porcelain'])).toBe('')
  })
})

describe('after a restart', () => {
  it('the folder, its content and its base are still the task’s', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(workspace.folder, 'a.txt'), 'half done')
    const again = await made.open()
    expect(await again.find(BUILD, TASK)).toEqual(workspace)
    expect(await again.acquire(BUILD, TASK, null, 'keep')).toEqual(workspace)
    expect(await readFile(join(workspace.folder, 'a.txt'), 'utf8')).toBe('half done')
  })
})

describe('nothing an agent wrote is lost', () => {
  it('where a folder is made anew without a harvest', async () => {
    const { made, ws } = await madeBuild()
    const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(folder, 'a.txt'), 'never harvested')
    await ws.acquire(BUILD, TASK, null, 'fresh')
    const [pin] = await ws.pins()
    expect(pin).toMatchObject({ build: BUILD, task: TASK, attempt: 0 })
    expect(await made.engine('cat-file', 'blob', `${pin?.commit}:a.txt`)).toBe('never harvested')
  })

  it('where a folder is given back without a harvest', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await rm(join(workspace.folder, 'a.txt'))
    await ws.release(workspace)
    const [pin] = await ws.pins()
    expect(await made.engine('ls-tree', '-r', '--name-only', pin?.commit ?? '')).toBe('.gitignore\nsrc/b.txt')
  })

  it('and nothing is pinned twice, or without need', async () => {
    const { ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(workspace.folder, 'a.txt'), 'harvested')
    await ws.harvest(workspace, markOf(1))
    await ws.acquire(BUILD, TASK, null, 'keep')
    await ws.release(workspace)
    expect((await ws.pins()).map(({ attempt, iteration }) => [attempt, iteration])).toEqual([[1, 1]])
  })

  it('where git cannot take it: the folder is set aside', async () => {
    const { ws } = await madeBuild()
    const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(folder, { 'nested/file.txt': 'inside' })
    await gitIn(join(folder, 'nested'), { PATH: process.env['PATH'] ?? '' }, ['init', '--quiet'])
    await ws.acquire(BUILD, TASK, null, 'fresh')
    expect(existsSync(join(folder, 'nested'))).toBe(false)
    const aside = join(folder, '..', 'aside', BUILD)
    const [name = ''] = await readdir(aside)
    expect(await readFile(join(aside, name, 'nested', 'file.txt'), 'utf8')).toBe('inside')
  })

  it('where the agent committed it and took it away again', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    const git = (...args: string[]) => gitIn(workspace.folder, made.env, args)
    await writeFile(join(workspace.folder, 'a.txt'), 'first try')
    await git('commit', '--quiet', '--all', '--message', 'first try')
    const lost = await git('rev-parse', 'HEAD')
    await git('reset', '--quiet', '--hard', 'HEAD~1')
    await writeFile(join(workspace.folder, 'b.txt'), 'stashed')
    await git('add', '--all')
    await git('stash', '--quiet')
    const stash = await git('rev-parse', 'stash')
    await git('switch', '--quiet', '--create', 'side')
    await writeFile(join(workspace.folder, 'c.txt'), 'packed')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'on a side branch')
    const side = await git('rev-parse', 'HEAD')
    await git('repack', '--quiet', '-a', '-d', '-l')
    await git('switch', '--quiet', 'work')
    expect(await ws.harvest(workspace, markOf())).toMatchObject({ taken: true })
    const [pin] = await ws.pins()
    const held = (await made.engine('rev-list', pin?.commit ?? '')).split('\n')
    expect(held).toEqual(expect.arrayContaining([lost, stash, side]))
    expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
  })
})

describe('harvesting', () => {
  it('takes the folder as it is, and pins it', async () => {
    const { made, ws, start } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    expect(await ws.harvest(workspace, markOf(1))).toEqual({ taken: true, tree: start.tree })
    await fillFolder(workspace.folder, { 'new/deep.txt': 'n', 'a.txt': 'changed', 'x.log': 'ignored' })
    await rm(join(workspace.folder, 'src'), { recursive: true })
    const tree = treeIn(await ws.harvest(workspace, markOf(2)))
    expect(await made.engine('ls-tree', '-r', '--name-only', tree)).toBe('.gitignore\na.txt\nnew/deep.txt')
    expect(await ws.pins()).toMatchObject([markOf(2), markOf(1)])
    const [pin] = await ws.pins()
    expect(await made.engine('rev-parse', `${pin?.ref}^1`)).toBe(start.commit)
    // Asked for again, after a crash say, it is the same and no other.
    expect(await ws.harvest(workspace, markOf(2))).toEqual({ taken: true, tree })
    expect((await ws.pins())[0]).toEqual(pin)
  })

  it('keeps an older pin of the same name', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    for (const text of ['one', 'two', 'three']) {
      await writeFile(join(workspace.folder, 'a.txt'), text)
      await ws.harvest(workspace, markOf(1))
    }
    const [pin] = await ws.pins()
    const texts = ['', '^2', '^2^2'].map((way) => made.engine('cat-file', 'blob', `${pin?.commit}${way}:a.txt`))
    expect(await Promise.all(texts)).toEqual(['three', 'two', 'one'])
  })

  it('takes an emptied folder as a tree without files', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    for (const name of await readdir(workspace.folder)) await rm(join(workspace.folder, name), { recursive: true })
    const tree = treeIn(await ws.harvest(workspace, markOf()))
    expect(await made.engine('ls-tree', '-r', tree)).toBe('')
  })

  it.each<[string, (folder: string) => Promise<unknown>]>([
    ['deleted', (folder) => rm(folder, { recursive: true })],
    ['replaced by a file', (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, 'x'))],
    ['replaced by a link', (folder) => rename(folder, `${folder}.moved`).then(() => symlink('/etc', folder))],
  ])('makes a folder again that was %s, as it was last taken', async (_, spoil) => {
    const { ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(workspace.folder, 'a.txt'), 'taken')
    const tree = treeIn(await ws.harvest(workspace, markOf(1)))
    await spoil(workspace.folder)
    expect(await ws.harvest(workspace, markOf(2))).toMatchObject({ taken: false, reason: /deleted or replaced/ })
    expect(await namesIn(workspace.folder)).toEqual(['.git', '.gitignore', 'a.txt', 'src'])
    expect(await ws.harvest(workspace, markOf(3))).toEqual({ taken: true, tree })
  })

  it.each<[string, (gitDir: string) => Promise<unknown>]>([
    ['deleted', (gitDir) => rm(gitDir, { recursive: true })],
    [
      'a file that points elsewhere',
      (gitDir) => rm(gitDir, { recursive: true }).then(() => writeFile(gitDir, 'gitdir: /etc')),
    ],
    ['a link', (gitDir) => rm(gitDir, { recursive: true }).then(() => symlink('/etc', gitDir))],
    [
      'full of rubbish',
      (gitDir) => writeFile(join(gitDir, 'HEAD'), 'rubbish').then(() => mkdir(join(gitDir, 'refs', 'x'.repeat(200)))),
    ],
  ])('does not mind a git dir that is %s', async (_, spoil) => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await spoil(join(workspace.folder, '.git'))
    await writeFile(join(workspace.folder, 'a.txt'), 'changed')
    const tree = treeIn(await ws.harvest(workspace, markOf()))
    expect(await made.engine('ls-tree', '-r', '--name-only', tree)).toBe('.gitignore\na.txt\nsrc/b.txt')
    await ws.acquire(BUILD, TASK, tree, 'fresh')
    expect(await gitIn(workspace.folder, made.env, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('work')
  })
})

describe('a new base', () => {
  it('is what the work stands on from then on', async () => {
    const { ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await writeFile(join(workspace.folder, 'a.txt'), 'mine\n')
    const tree = treeIn(await ws.harvest(workspace, markOf()))
    await landSomething(ws, { 'a.txt': 'theirs\n' }, OTHER)
    const combined = await ws.mergeTrees(BUILD, workspace.base, tree)
    expect(combined).toMatchObject({ is: 'conflict', paths: ['a.txt'] })
    const rebased = await ws.rebase(workspace, combined.head, combined.tree)
    expect(rebased).toEqual({ ...workspace, base: combined.head })
    expect(await ws.find(BUILD, TASK)).toEqual(rebased)
    expect(await readFile(join(rebased.folder, 'a.txt'), 'utf8')).toMatch(
      /<<<<<<<[^]*theirs[^]*=======[^]*mine[^]*>>>>>>>/,
    )
    await ws.release(rebased)
    expect(await ws.baseOf(BUILD, TASK, combined.tree)).toBe(combined.head)
    expect(await ws.acquire(BUILD, TASK, combined.tree, 'fresh')).toMatchObject({ base: combined.head })
  })
})

describe('a lock that a killed git left', () => {
  it('is in nobody’s way', async () => {
    const { made, ws } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    const lock = join(made.state, 'workspaces', '1.git', 'index.lock')
    await writeFile(lock, '')
    await writeFile(join(workspace.folder, 'a.txt'), 'x')
    expect(await ws.harvest(workspace, markOf())).toMatchObject({ taken: true })
    await writeFile(lock, '')
    expect(await ws.acquire(BUILD, TASK, null, 'fresh')).toEqual(workspace)
  })
})

describe('a process that lost its lease and still lives', () => {
  it('keeps its folder, and the next one gets another', async () => {
    const { made, ws } = await madeBuild()
    const lost = await ws.acquire(BUILD, TASK, null, 'fresh')
    const living = start({ argv: [execPath, '-e', 'setTimeout(() => {}, 60_000)'], cwd: made.folder, env: {} })
    onTestFinished(() => living.kill())
    const token = 'a'.repeat(32)
    const pool = join(made.state, 'workspaces')
    await writeFile(join(made.state, 'owners', `${token}.json`), JSON.stringify(await identify(living.pid ?? 0)))
    const [record = ''] = (await readdir(pool)).filter((name) => name.startsWith('1.held.'))
    await rename(join(pool, record), join(pool, `1.held.${token}.json`))

    await expect(ws.harvest(lost, markOf())).rejects.toThrow("another process works in the folder of task 't-1'")
    const next = await ws.acquire(BUILD, TASK, null, 'keep')
    expect(next.folder).not.toBe(lost.folder)
    expect(await ws.find(BUILD, TASK)).toEqual(next)
    await writeFile(join(lost.folder, 'a.txt'), 'work of the lost one')
    living.kill()
    await living.ended
    await ws.release(next)
    expect(await ws.find(BUILD, TASK)).toBe(null)
    const [pin] = await ws.pins()
    expect(await made.engine('cat-file', 'blob', `${pin?.commit}:a.txt`)).toBe('work of the lost one')
  })
})

it('works in folders outside of the state folder', async () => {
  const made = await madeRepository()
  const ws = await made.open({ folders: join(made.folder, '..', 'elsewhere') })
  const { tree } = await ws.startBuild(BUILD)
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  const { folder: checked } = await ws.checkout(tree)
  expect([folder, checked]).toEqual(
    ['workspaces', 'checkouts'].map((pool) => join(made.folder, '..', 'elsewhere', pool, '1')),
  )
})
