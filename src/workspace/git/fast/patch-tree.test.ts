import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TreeId } from '../../../core/values/id.ts'
import { startGit } from '../command/git.ts'
import { storeLoose } from './loose-objects.ts'
import { patchTree } from './patch-tree.ts'
import { gitIn } from '../../../../test/rig/git-repository.ts'
import { writeObject } from '../objects/objects.ts'
import { removeAll } from '../../../system/remove-all.ts'
import type { TreeLine } from '../objects/tree-object.ts'
import { readTreePaths } from '../objects/tree-paths.ts'

async function madeBare() {
  const repo = await mkdtemp(join(tmpdir(), 'ralph-patch-tree-'))
  onTestFinished(() => removeAll(repo))
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
  await gitIn(repo, env, ['init', '--quiet', '--bare'])
  const folder = join(repo, 'objects')
  const objects = { folder, format: 'sha1', store: storeLoose(folder) } as const
  const blob = await writeObject(objects, 'blob', 'some')
  const other = await writeObject(objects, 'blob', 'other')
  /** By git itself. */
  const treeOf = async (files: ReadonlyMap<string, TreeLine>): Promise<TreeId> => {
    const index = { ...env, GIT_INDEX_FILE: join(repo, 'index') }
    await gitIn(repo, index, ['read-tree', '--empty'])
    const lines = [...files].map(([path, { mode, id }]) => `${mode} ${id}\t${path}\0`).join('')
    await gitIn(repo, index, ['update-index', '-z', '--index-info'], lines)
    return (await gitIn(repo, index, ['write-tree'])) as TreeId
  }
  return { repo, objects, treeOf, blob, other, read: (tree: TreeId) => readTreePaths(startGit(env), repo, tree) }
}

const name = fc.constantFrom('a', 'b', 'a.b', 'a-b', 'a0', 'ab', 'B', 'z')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const mode = fc.constantFrom('100644', '100755', '120000')

/** No file in the place of a folder. */
function consistent(paths: readonly string[]): string[] {
  const folders = new Set(paths.flatMap((one) => one.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))))
  return [...new Set(paths)].filter((one) => !folders.has(one))
}

describe('a grafted tree', () => {
  it('is the tree that git would have written, and its paths are those that git would list', async () => {
    const { objects, treeOf, read, blob, other } = await madeBare()
    const files = fc.array(fc.tuple(path, mode), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(files, files, fc.infiniteStream(fc.boolean()), async (first, second, coins) => {
        const before = new Map(
          consistent(first.map(([one]) => one)).map((one) => [
            one,
            { mode: first.find(([p]) => p === one)?.[1] ?? '', id: blob },
          ]),
        )
        const removed = [...before.keys()].filter(() => coins.next().value)
        const rest = new Map([...before].filter(([one]) => !removed.includes(one)))
        const wanted = consistent([...rest.keys(), ...second.map(([one]) => one)])
        const added = new Map(
          second
            .filter(([one]) => wanted.includes(one))
            .map(([one, how]): [string, TreeLine] => [one, { mode: how, id: other }]),
        )
        const after = new Map([...rest, ...added])
        if (consistent([...after.keys()]).length < after.size || removed.length + added.size === 0) return
        const paths = await read(await treeOf(before))
        const patched = patchTree(objects, paths, removed, added)
        // Where a folder has only just gone it is left to git.
        if (patched === null) {
          expect([...added.keys()].some((one) => paths.has(one) || isBelow(one, removed))).toBe(true)
          return
        }
        await Promise.all(patched.writings.map(({ written }) => written))
        expect(patched.tree).toBe(await treeOf(after))
        expect(patched.paths).toEqual(await read(patched.tree))
      }),
      { numRuns: 60 },
    )
  })

  it('leaves to git what is not plain', async () => {
    const { objects, treeOf, read, blob } = await madeBare()
    const line = { mode: '100644', id: blob }
    const paths = await read(
      await treeOf(
        new Map([
          ['folder/file', line],
          ['file', line],
        ]),
      ),
    )
    expect(patchTree(objects, paths, [], new Map([['folder', line]]))).toBe(null)
    expect(patchTree(objects, paths, [], new Map([['file/below', line]]))).toBe(null)
    expect(patchTree(objects, paths, [], new Map([['file/far/below', line]]))).toBe(null)
  })
})

function isBelow(one: string, files: readonly string[]): boolean {
  return files.some((file) => one.startsWith(`${file}/`))
}
