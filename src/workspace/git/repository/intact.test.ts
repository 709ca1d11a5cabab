import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../../core/error/error.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import type { Workspaces } from '../../workspace.ts'
import { cloneWhole } from './clone-whole.ts'
import {
  BUILD,
  gitIn,
  type MadeRepository,
  madeRepository,
  markOf,
  messageFor,
  overwriteObject,
  TASK,
} from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const FILES = { 'a.txt': 'one\n', 'tests/t.txt': 'strict\n', 'tests/deep/d.txt': 'deep\n' }

async function failure(work: Promise<unknown>): Promise<{ code: string; words: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof RalphError) return { code: error.code, words: error.message }
    throw error
  }
  return { code: 'none', words: '' }
}

/** Work of an agent, taken. */
async function harvested(ws: Workspaces, files: Readonly<Record<string, string>>): Promise<TreeId> {
  const workspace = await ws.acquire(BUILD, TASK, null, 'keep')
  await fillFolder(workspace.folder, files)
  const harvest = await ws.harvest(workspace, markOf())
  if (!harvest.taken) throw new Error(harvest.reason)
  return harvest.tree
}

const objectsOf = ({ state }: MadeRepository): string => join(state, 'repo.git', 'objects')

/** The object of this path becomes another; files of the engine and of the user are the same by a hard link. */
async function forge(made: MadeRepository, name: string, kind: 'blob' | 'tree', content: Uint8Array): Promise<string> {
  const id = await made.git('rev-parse', name)
  await overwriteObject(objectsOf(made), id, kind, content)
  return id
}

async function treeWithOnly(made: MadeRepository, name: string, blob: string): Promise<Buffer> {
  const id = await made.git('rev-parse', blob)
  return Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')])
}

const PACKED = [
  ['in files of their own', async () => {}],
  ['beside others in packs', async (made: MadeRepository) => void (await packSomething(made))],
] as const

/** Git looks into packs first, so that objects are read in another way. */
async function packSomething(made: MadeRepository): Promise<void> {
  const id = await gitIn(made.folder, made.env, ['hash-object', '-w', '--stdin'], 'packed')
  await gitIn(made.folder, made.env, ['pack-objects', '--quiet', join(made.folder, '.git/objects/pack/pack')], id)
}

describe.each(PACKED)('objects %s whose content was overwritten', (_, prepare) => {
  it('are not checked out for a check, and both repositories are named', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    const id = await forge(made, 'HEAD:tests/t.txt', 'blob', Buffer.from('lax\n'))
    const { code, words } = await failure(ws.checkout(tree))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(`git object ${id} is damaged`)])
    expect(words).toContain(`in your repository ${join(made.folder, '.git')} and in ${join(made.state, 'repo.git')}`)
  })

  it('are not checked out for an agent', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    await ws.startBuild(BUILD)
    await forge(made, 'HEAD:tests/t.txt', 'blob', Buffer.from('lax\n'))
    expect((await failure(ws.acquire(BUILD, TASK, null, 'fresh'))).code).toBe('OBJECT_DAMAGED')
  })

  it('are found where they are folders', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    const id = await forge(made, 'HEAD:tests', 'tree', await treeWithOnly(made, 't.txt', 'HEAD:a.txt'))
    const { code, words } = await failure(ws.checkout(tree))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(id)])
  })

  it('hide no change of a file', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { tree: base } = await ws.startBuild(BUILD)
    const tree = await harvested(ws, { 'tests/t.txt': 'lax\n' })
    const id = await forge(made, 'HEAD:tests/t.txt', 'blob', Buffer.from('lax\n'))
    const { code, words } = await failure(ws.diff(base, tree))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(id)])
  })

  it('hide no change in a folder, also one that was read before', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { tree: base } = await ws.startBuild(BUILD)
    const tree = await harvested(ws, { 'tests/t.txt': 'lax\n', 'a.txt': 'two\n' })
    const forged = await treeObject(made, `${tree}:tests`)
    const id = await forge(made, 'HEAD:tests', 'tree', forged)
    const { code, words } = await failure(ws.diff(base, tree))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(id)])
  })

  it('do not land', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { commit } = await ws.startBuild(BUILD)
    const tree = await harvested(ws, { 'a.txt': 'two\n' })
    const id = await made.engine('rev-parse', `${tree}:a.txt`)
    await overwriteObject(objectsOf(made), id, 'blob', Buffer.from('evil\n'))
    const { code, words } = await failure(ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{}'))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(id)])
    expect((await ws.head(BUILD)).commit).toBe(commit)
  })

  it('are not read as a file of a tree', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    await forge(made, 'HEAD:a.txt', 'blob', Buffer.from('two\n'))
    expect((await failure(ws.read(tree, ['a.txt']))).code).toBe('OBJECT_DAMAGED')
  })

  it('are not read as a note', async () => {
    const made = await madeRepository(FILES)
    await prepare(made)
    const ws = await made.open()
    const { commit } = await ws.startBuild(BUILD)
    const tree = await harvested(ws, { 'a.txt': 'two\n' })
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{"said":1}')
    const note = `refs/notes/ralph:${landed?.commit.slice(0, 2)}/${landed?.commit.slice(2)}`
    await overwriteObject(objectsOf(made), await made.engine('rev-parse', note), 'blob', Buffer.from('{"said":2}\n'))
    expect((await failure(ws.noteOn(landed?.commit as CommitId))).code).toBe('OBJECT_DAMAGED')
  })
})

async function treeObject(made: MadeRepository, tree: string): Promise<Buffer> {
  const lines = (await made.engine('ls-tree', tree)).split('\n').map((line) => /^(\d+) \w+ (\w+)\t(.+)$/.exec(line))
  return Buffer.concat(
    lines.flatMap((line) => [
      Buffer.from(`${line?.[1]?.replace(/^0/, '')} ${line?.[3]}\0`),
      Buffer.from(line?.[2] ?? '', 'hex'),
    ]),
  )
}

it('says of an object that is gone that it is missing', async () => {
  const made = await madeRepository(FILES)
  const ws = await made.open()
  const { tree: base } = await ws.startBuild(BUILD)
  const tree = await harvested(ws, { 'a.txt': 'two\n' })
  const id = await made.git('rev-parse', 'HEAD:a.txt')
  await rm(join(objectsOf(made), id.slice(0, 2), id.slice(2)))
  expect((await failure(ws.diff(base, tree))).code).toBe('GIT_DAMAGED')
})

describe('objects that are intact', () => {
  it('are taken where they are in packs only', async () => {
    const made = await madeRepository(FILES)
    await made.git('gc', '--quiet')
    const ws = await made.open()
    const { tree: base, commit } = await ws.startBuild(BUILD)
    const tree = await harvested(ws, { 'a.txt': 'two\n' })
    expect((await ws.diff(base, tree)).files).toEqual([{ path: 'a.txt', change: 'modified' }])
    const checkout = await ws.checkout(tree)
    expect(await readFile(join(checkout.folder, 'a.txt'), 'utf8')).toBe('two\n')
    expect(await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{}')).not.toBeNull()
  })

  it('are taken in a form that git no longer writes', async () => {
    const made = await madeRepository(FILES)
    await oddModes(made)
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    const checkout = await ws.checkout(tree)
    expect(await readFile(join(checkout.folder, 'a.txt'), 'utf8')).toBe('one\n')
  })
})

/** HEAD becomes a commit whose tree says `100664`, as git wrote it in its first months. */
async function oddModes(made: MadeRepository): Promise<void> {
  const id = await made.git('rev-parse', 'HEAD:a.txt')
  const file = join(made.folder, '.git', 'odd')
  await writeFile(file, Buffer.concat([Buffer.from('100664 a.txt\0'), Buffer.from(id, 'hex')]))
  const tree = await made.git('hash-object', '-t', 'tree', '--literally', '-w', file)
  const commit = await made.git('commit-tree', '-p', 'HEAD', '-m', 'odd', tree)
  await made.git('reset', '--quiet', '--hard', commit)
}

describe('a whole clone', () => {
  const clonedFrom = async (made: MadeRepository): Promise<string> => {
    const to = join(made.folder, '..', 'clone.git')
    await cloneWhole(made.env, join(made.folder, '.git'), to, join(made.folder, '..', 'state'))
    return to
  }

  it('shares no file with its origin', async () => {
    const made = await madeRepository(FILES)
    const to = await clonedFrom(made)
    expect(await gitIn(to, made.env, ['rev-parse', 'HEAD'])).toBe(await made.git('rev-parse', 'HEAD'))
    expect(await gitIn(to, made.env, ['count-objects', '-v'])).toMatch(/^count: 0$[^]*^packs: 1$/m)
    for (const name of await readdir(join(to, 'objects', 'pack')))
      expect((await stat(join(to, 'objects', 'pack', name))).nlink).toBe(1)
    expect(await readFile(join(to, 'objects/info/alternates'), 'utf8').catch(() => null)).toBeNull()
  })

  it('refuses an object that was overwritten, and says which', async () => {
    const made = await madeRepository(FILES)
    const id = await made.git('rev-parse', 'HEAD:a.txt')
    await overwriteObject(join(made.folder, '.git', 'objects'), id, 'blob', Buffer.from('two\n'))
    const { code, words } = await failure(clonedFrom(made))
    expect([code, words]).toEqual(['OBJECT_DAMAGED', expect.stringContaining(`git object ${id} is damaged`)])
    expect(words).toContain(join(made.folder, '.git'))
  })

  it('takes over an old history with its faults', async () => {
    const made = await madeRepository(FILES)
    await oddModes(made)
    const to = await clonedFrom(made)
    expect(await gitIn(to, made.env, ['rev-parse', 'HEAD'])).toBe(await made.git('rev-parse', 'HEAD'))
  })
})

it('looks for no repository where an agent could have put one', async () => {
  const made = await madeRepository(FILES)
  const ws = await made.open()
  await ws.startBuild(BUILD)
  const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
  const evil = join(made.folder, '..', 'evil.git')
  await mkdir(evil)
  await gitIn(evil, made.env, ['init', '--quiet', '--bare'])
  await writeFile(`${workspace.folder}.git/commondir`, `${evil}\n`)
  // So many that git is asked.
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`new/${at}.txt`, `${at}\n`]))
  await fillFolder(workspace.folder, many)
  const harvest = await ws.harvest(workspace, markOf())
  if (!harvest.taken) throw new Error(harvest.reason)
  expect(await made.engine('cat-file', '-t', harvest.tree)).toBe('tree')
  expect(await gitIn(evil, made.env, ['count-objects'])).toBe('0 objects, 0 kilobytes')
})
