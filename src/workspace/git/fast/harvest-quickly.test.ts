import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BUILD, TASK, gitIn, madeRepository, markOf } from '../../../../test/rig/git-repository.ts'
import { fillFolder, type Files } from '../../../../test/rig/folder.ts'

/** The tree by a process that remembers the folder, and by one that knows nothing and must ask git for everything. */
async function bothWays(steps: readonly ((folder: string) => Promise<unknown>)[]) {
  const made = await madeRepository()
  const quick = await made.open()
  await quick.startBuild(BUILD)
  const workspace = await quick.acquire(BUILD, TASK, null, 'fresh')
  const trees: [string, string][] = []
  for (const [at, step] of steps.entries()) {
    await step(workspace.folder)
    const taken = await quick.harvest(workspace, markOf(at))
    await gitIn(workspace.folder, made.env, ['add', '--all'])
    trees.push([taken.taken ? taken.tree : taken.reason, await gitIn(workspace.folder, made.env, ['write-tree'])])
  }
  const slow = await (await made.open()).harvest(workspace, markOf(99))
  trees.push([slow.taken ? slow.tree : slow.reason, trees.at(-1)?.[1] ?? ''])
  return { made, trees, quick, workspace }
}

it('gives the very tree that git would give, step by step', async () => {
  const write = (files: Files) => (folder: string) => fillFolder(folder, files)
  const { made, trees } = await bothWays([
    write({ 'a.txt': 'changed', 'new/deep/er/x.txt': 'x' }),
    (folder) => chmod(join(folder, 'a.txt'), 0o755),
    (folder) => rm(join(folder, 'new'), { recursive: true }),
    (folder) => rm(join(folder, 'src', 'b.txt')),
    write({ 'src/b.txt': 'two\n', 'a.txt': 'one\n', '.github/workflows/x.yml': 'on: push' }),
    write({ 'ünï.txt': 'not plain', '.gitx/y': 'nor this' }),
    write(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`many/${at % 7}/${at}.txt`, String(at)]))),
    write({ 'many/0/0.txt': 'again', 'last.bin': Buffer.from([0, 255, 13, 10]) }),
    (folder) => rm(join(folder, 'src'), { recursive: true }).then(() => writeFile(join(folder, 'src'), 'a file now')),
    async () => {},
  ])
  for (const [ours, git] of trees) expect(ours).toBe(git)
  expect(new Set(trees.map(([tree]) => tree)).size).toBe(trees.length - 2)
  expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
})

it('leaves a folder that can be synced to any tree', async () => {
  const { made, trees, quick, workspace } = await bothWays([
    (folder) => fillFolder(folder, { 'a.txt': 'changed', 'new/x.txt': 'x' }),
    (folder) => rm(join(folder, 'new'), { recursive: true }),
  ])
  for (const [tree] of trees) {
    await quick.acquire(BUILD, TASK, tree as never, 'fresh')
    expect(await gitIn(workspace.folder, made.env, ['write-tree'])).toBe(tree)
    expect(await gitIn(workspace.folder, made.env, ['diff', '--name-only'])).toBe('')
    expect(await gitIn(workspace.folder, made.env, ['ls-files', '--others'])).toBe('')
  }
})
