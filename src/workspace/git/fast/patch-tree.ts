// Makes a tree with a few files replaced, without git: of 10,000 folders it writes only those above the files.
import type { TreeId } from '../../../core/values/id.ts'
import type { Objects, Writing } from '../objects/objects.ts'
import { type TreeLine, startTree } from '../objects/tree-object.ts'
import { type TreePaths, splitPath } from '../objects/tree-paths.ts'

export interface PatchedTree {
  readonly tree: TreeId
  readonly paths: TreePaths
  readonly writings: readonly Writing[]
}

/** Null where a file would take the place of a folder or lie below a file: git has to sort that out. */
export function patchTree(
  objects: Objects,
  paths: TreePaths,
  removed: readonly string[],
  added: ReadonlyMap<string, TreeLine>,
): PatchedTree | null {
  const folders = new Map(paths)
  const changed = new Map<string, Map<string, TreeLine>>()
  const own = (folder: string): Map<string, TreeLine> => {
    const lines = changed.get(folder) ?? new Map(folders.get(folder))
    changed.set(folder, lines)
    folders.set(folder, lines)
    return lines
  }
  const touch = (path: string): Map<string, TreeLine> => {
    const { folder } = splitPath(path)
    if (folder !== '') touch(folder)
    return own(folder)
  }
  for (const path of removed) touch(path).delete(splitPath(path).name)
  for (const [path, line] of added) {
    if (folders.has(path) || liesBelowFile(folders, path)) return null
    touch(path).set(splitPath(path).name, line)
  }
  const writings: Writing[] = []
  const deepestFirst = [...changed.keys()].sort((one, other) => depthOf(other) - depthOf(one))
  for (const folder of deepestFirst) {
    const { folder: parent, name } = splitPath(folder)
    const lines = own(folder)
    if (folder !== '' && lines.size === 0) {
      folders.delete(folder)
      own(parent).delete(name)
      continue
    }
    const writing = startTree(objects, lines)
    writings.push(writing)
    if (folder === '') return { tree: writing.id as TreeId, paths: folders, writings }
    own(parent).set(name, { mode: '40000', id: writing.id })
  }
  return null
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length
}

function liesBelowFile(folders: TreePaths, path: string): boolean {
  const { folder: above } = splitPath(path)
  if (above === '') return false
  const { folder, name } = splitPath(above)
  const line = folders.get(folder)?.get(name)
  return (line !== undefined && line.mode !== '40000') || liesBelowFile(folders, above)
}
