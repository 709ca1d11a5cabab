// Folders that are synced and read without git: that it is so, and that what is done to them is seen all the same.
import { constants, lstatSync } from 'node:fs'
import { access, chmod, link, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TreeId } from '../../../core/values/id.ts'
import { BUILD, TASK, contentOf, gitIn, madeRepository, markOf } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

/** A git before the real one, which notes how it was called. */
async function watchedGit() {
  const made = await madeRepository()
  const programs = join(made.env['HOME'] ?? '', 'programs')
  const log = join(programs, 'log')
  await fillFolder(programs, { git: `#!/bin/sh\necho "$1" >> ${log}\nexec ${await realGit()} "$@"\n`, log: '' })
  await chmod(join(programs, 'git'), 0o755)
  const ws = await made.open({ env: { ...made.env, PATH: `${programs}${delimiter}${made.env['PATH']}` } })
  const calls = async (): Promise<string[]> => {
    const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean)
    await writeFile(log, '')
    return lines
  }
  return { made, ws, calls, ...(await ws.startBuild(BUILD)) }
}

async function realGit(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const isThere = await access(join(folder, 'git'), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return join(folder, 'git')
  }
  throw new Error('git is on the path')
}

it('a small change goes from folder to folder without git', async () => {
  const { ws, calls, tree } = await watchedGit()
  const agents = await ws.acquire(BUILD, TASK, null, 'fresh')
  const checks = await ws.checkout(tree)
  checks.free()
  expect(await calls()).toContain('read-tree')
  const trees: TreeId[] = []
  for (const [at, text] of ['two\n', 'three\n', 'four!\n'].entries()) {
    await writeFile(join(agents.folder, 'a.txt'), text)
    const harvest = await ws.harvest(agents, markOf(at))
    if (!harvest.taken) throw new Error(harvest.reason)
    const candidate = await ws.checkout(harvest.tree)
    expect(await readFile(join(candidate.folder, 'a.txt'), 'utf8')).toBe(text)
    candidate.free()
    trees.push(harvest.tree)
    await ws.release(agents)
    expect((await ws.acquire(BUILD, TASK, harvest.tree, 'fresh')).folder).toBe(agents.folder)
  }
  expect(new Set(trees).size).toBe(3)
  expect(await calls()).toEqual([])
})

/** What may be done to a folder by whoever runs in it; none may be seen in the next tree. */
const deeds: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  nothing: async () => {},
  'same length, same time': async (folder) => {
    const { atime, mtime } = lstatSync(join(folder, 'a.txt'))
    await writeFile(join(folder, 'a.txt'), 'eno\n')
    await utimes(join(folder, 'a.txt'), atime, mtime)
  },
  'a look far in the past': async (folder) => {
    await writeFile(join(folder, 'a.txt'), 'eno\n')
    await utimes(join(folder, 'a.txt'), 1, 1)
  },
  'a touched file': (folder) => utimes(join(folder, 'a.txt'), 5, 5),
  'another file in its place': async (folder) => {
    await writeFile(join(folder, 'other'), 'eno\n')
    await rename(join(folder, 'other'), join(folder, 'a.txt'))
  },
  'two files exchanged': async (folder) => {
    await rename(join(folder, 'a.txt'), join(folder, 'third'))
    await rename(join(folder, 'src/b.txt'), join(folder, 'a.txt'))
    await rename(join(folder, 'third'), join(folder, 'src/b.txt'))
  },
  'no file': (folder) => rm(join(folder, 'a.txt')),
  'no folder': (folder) => rm(join(folder, 'src'), { recursive: true }),
  'a link for a file': async (folder) => {
    await rm(join(folder, 'a.txt'))
    await symlink('src/b.txt', join(folder, 'a.txt'))
  },
  'a link for a folder': async (folder) => {
    await rename(join(folder, 'src'), join(folder, 'elsewhere'))
    await symlink('elsewhere', join(folder, 'src'))
  },
  'a folder for a file': async (folder) => {
    await rm(join(folder, 'a.txt'))
    await fillFolder(folder, { 'a.txt/deep/x': 'x' })
  },
  'a file for a folder': async (folder) => {
    await rm(join(folder, 'src'), { recursive: true })
    await writeFile(join(folder, 'src'), 'x')
  },
  'a second name': (folder) => link(join(folder, 'a.txt'), join(folder, 'src/second.txt')),
  'one file under two names': async (folder) => {
    await rm(join(folder, 'same.txt'), { force: true })
    await link(join(folder, 'a.txt'), join(folder, 'same.txt'))
  },
  'odd rights': (folder) => chmod(join(folder, 'a.txt'), 0o4777),
  'an executable': (folder) => chmod(join(folder, 'a.txt'), 0o755),
  'no rights': (folder) => chmod(join(folder, 'a.txt'), 0o000),
  'new files': (folder) => fillFolder(folder, { 'new.txt': 'n', 'src/new/x.txt': 'n', 'some.log': 'ignored' }),
  'an empty folder': (folder) => mkdir(join(folder, 'src/empty')),
  'a git dir below': (folder) => fillFolder(folder, { 'src/.git/config': '[core]\n' }),
}

it('a checkout holds its tree, whatever was done in it before', async () => {
  const { made, ws, calls, tree } = await watchedGit()
  const small = await ws.alter(tree, new Map([['a.txt', 'two\n']]))
  const more = await ws.alter(
    tree,
    new Map([
      ['same.txt', 'one\n'],
      ['src/deep/c.txt', 'c\n'],
    ]),
  )
  const wanted = new Map<TreeId, Record<string, string>>()
  for (const one of [tree, small, more]) {
    const { folder } = await ws.checkout(one)
    wanted.set(one, await contentOf(folder))
  }
  const ways = { quick: 0, byGit: 0 }
  const steps = fc.array(fc.tuple(fc.constantFrom(tree, small, more), fc.constantFrom(...Object.keys(deeds))), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const [one, deed] of taken) {
        await calls()
        const { folder, free } = await ws.checkout(one)
        const way = (await calls()).includes('read-tree') ? 'byGit' : 'quick'
        ways[way] += 1
        expect([way, await contentOf(folder)]).toEqual([way, wanted.get(one)])
        expect(await gitIn(folder, made.env, ['status', '--porcelain', '--ignored'])).toBe('')
        for (const name of ['a.txt', 'src/b.txt']) {
          const { mode, nlink } = lstatSync(join(folder, name))
          expect(nlink).toBe(1)
          // Of rights git itself knows only the one to run a file.
          expect(mode & (way === 'quick' ? 0o7702 : 0o100)).toBe(way === 'quick' ? 0o600 : 0)
        }
        // Some deeds need what this tree has not.
        await deeds[deed]?.(folder).catch(() => {})
        free()
      }
    }),
    { numRuns: 60 },
  )
  expect(ways.quick).toBeGreaterThan(ways.byGit)
})

it('a harvest sees what git would see, whatever was done', async () => {
  const { made, ws, calls } = await watchedGit()
  const ways = { quick: 0, byGit: 0 }
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  for (const [name, deed] of Object.entries(deeds)) {
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    expect(workspace.folder).toBe(folder)
    await deed(folder)
    await calls()
    const harvest = await ws.harvest(workspace, markOf())
    ways[(await calls()).includes('status') ? 'byGit' : 'quick'] += 1
    const slow = await (await made.open()).harvest(workspace, markOf(2))
    expect([name, harvest]).toEqual([name, slow])
  }
  expect(ways.quick).toBeGreaterThan(5)
  expect(ways.byGit).toBeGreaterThan(3)
})
