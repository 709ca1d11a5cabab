import { describe, expect, it } from 'vitest'
import type { TreeId } from '../../../core/values/id.ts'
import type { Patch } from '../../workspace.ts'
import { BUILD, TASK, madeRepository, markOf } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

async function madeTree() {
  const made = await madeRepository()
  const ws = await made.open()
  return { made, ws, ...(await ws.startBuild(BUILD)) }
}

describe('looking into a tree', () => {
  it('knows which paths are missing', async () => {
    const { ws, tree, commit } = await madeTree()
    const paths = [
      'a.txt',
      'b.txt',
      'src',
      'src/',
      './src/b.txt',
      'src/b.txt/c',
      'SRC',
      '../a.txt',
      '/a.txt',
      '*.txt',
      '.',
      ':(top)a.txt',
    ]
    expect(await ws.missing(tree, paths)).toEqual([
      'b.txt',
      'src/b.txt/c',
      'SRC',
      '../a.txt',
      '/a.txt',
      '*.txt',
      ':(top)a.txt',
    ])
    expect(await ws.missing(tree, [])).toEqual([])
    expect(await ws.treeOf(commit)).toBe(tree)
  })

  it('gives a tree with some files replaced', async () => {
    const { made, ws, tree } = await madeTree()
    const altered = await ws.alter(
      tree,
      new Map([
        ['a.txt', 'broken'],
        ['src/new/x.txt', 'x'],
      ]),
    )
    expect(await ws.diff(tree, altered)).toMatchObject({
      files: [
        { path: 'a.txt', change: 'modified' },
        { path: 'src/new/x.txt', change: 'added' },
      ],
    })
    expect(await made.engine('cat-file', 'blob', `${altered}:a.txt`)).toBe('broken')
    expect(await ws.alter(tree, new Map())).toBe(tree)
  })

  it('reads those of the files that it has', async () => {
    const { ws, tree } = await madeTree()
    const big = await ws.alter(
      tree,
      new Map([
        ['big.txt', 'x'.repeat(1024 * 1024 + 1)],
        ['*.txt', 'star'],
        ['ü.txt', 'ü\n'],
      ]),
    )
    const files = ['a.txt', 'big.txt', 'none.txt', 'src', '*.txt', 'ü.txt']
    expect([...(await ws.read(big, files))]).toEqual([
      ['a.txt', 'one\n'],
      ['*.txt', 'star'],
      ['ü.txt', 'ü\n'],
    ])
    expect([...(await ws.read(tree, []))]).toEqual([])
  })

  it('answers the same of a tree that was just harvested, without asking git', async () => {
    const { ws } = await madeTree()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, { 'new.txt': 'two\n', 'ü.txt': 'ü\n' })
    const harvest = await ws.harvest(workspace, markOf())
    if (!harvest.taken) throw new Error(harvest.reason)
    const files = ['new.txt', 'none.txt', 'src', 'ü.txt', 'a.txt']
    expect(new Map(await ws.read(harvest.tree, files))).toEqual(
      new Map([
        ['new.txt', 'two\n'],
        ['ü.txt', 'ü\n'],
        ['a.txt', 'one\n'],
      ]),
    )
    expect(await ws.read(harvest.tree, ['new.txt', 'ü.txt'])).toEqual(
      new Map([
        ['new.txt', 'two\n'],
        ['ü.txt', 'ü\n'],
      ]),
    )
    expect(await ws.missing(harvest.tree, [...files, './src/', '.', '../a.txt', 'src/b.txt/c'])).toEqual([
      'none.txt',
      '../a.txt',
      'src/b.txt/c',
    ])
  })

  it('gives a tree with some files as another one has them', async () => {
    const { ws, tree } = await madeTree()
    const later = await ws.alter(
      tree,
      new Map([
        ['a.txt', 'two'],
        ['new.txt', 'n'],
        ['src/b.txt', 'changed'],
      ]),
    )
    const back = await ws.withFilesOf(later, tree, ['a.txt', 'new.txt'])
    expect((await ws.diff(tree, back)).files).toEqual([{ path: 'src/b.txt', change: 'modified' }])
    expect(await ws.withFilesOf(later, tree, ['a.txt', 'new.txt', 'src/b.txt'])).toBe(tree)
    expect(await ws.withFilesOf(later, tree, [])).toBe(later)
  })

  it('keeps the mode of a file it replaces', async () => {
    const { made, ws } = await madeTree()
    await made.git('update-index', '--chmod=+x', 'a.txt')
    const tree = (await made.git('write-tree')) as TreeId
    await made.git('commit', '--quiet', '--message', 'x')
    await ws.startBuild('b_2' as typeof BUILD)
    const altered = await ws.alter(tree, new Map([['a.txt', 'broken']]))
    expect(await made.engine('ls-tree', altered, 'a.txt')).toMatch(/^100755 /)
  })
})

describe('the difference of two trees', () => {
  it('lists every file, and shows the text', async () => {
    const { ws, tree } = await madeTree()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, {
      'a.txt': 'one\nmore\n',
      'ü "q"\\.txt': 'n\n',
      'bin.dat': Buffer.from([0, 1, 2]),
      '.gitattributes': '*.txt diff=x -diff\n',
    })
    const harvest = await ws.harvest(workspace, markOf())
    const patch = await ws.diff(tree, harvest.taken ? harvest.tree : tree)
    expect(patch.files).toEqual([
      { path: '.gitattributes', change: 'added' },
      { path: 'a.txt', change: 'modified' },
      { path: 'bin.dat', change: 'added' },
      { path: 'ü "q"\\.txt', change: 'added' },
    ])
    expect(patch.isWhole).toBe(true)
    expect(patch.diff).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+more\n')
    expect(patch.diff).toContain('Binary files /dev/null and b/bin.dat differ')
  })

  it('knows renamed, deleted and retyped files', async () => {
    const { made, ws, tree } = await madeTree()
    await made.git('mv', 'src/b.txt', 'moved.txt')
    await made.git('rm', '--quiet', 'a.txt')
    await made.commit({ 'a.txt/x': 'x' })
    const { tree: later } = await ws.startBuild('b_2' as typeof BUILD)
    expect((await ws.diff(tree, later)).files).toEqual([
      { path: 'a.txt', change: 'deleted' },
      { path: 'a.txt/x', change: 'added' },
      { path: 'moved.txt', change: 'renamed', from: 'src/b.txt' },
    ])
    expect(await ws.diff(tree, tree)).toEqual<Patch>({ diff: '', files: [], isWhole: true })
  })
})
