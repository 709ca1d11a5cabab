// The paths of a tree, folder by folder. Names are Latin-1 text, one character per byte: git knows no encoding, and
// names that are not UTF-8 must stay distinct.
import type { TreeId } from '../../../core/values/id.ts'
import type { Git } from '../command/git.ts'
import { type ObjectFormat, idOf } from './objects.ts'
import { type TreeLine, type TreeLines, treeBytes } from './tree-object.ts'

/** Path of a folder (the root is '') → its lines. */
export type TreePaths = ReadonlyMap<string, TreeLines>

export async function readTreePaths(git: Git, repo: string, tree: TreeId): Promise<TreePaths> {
  const { stdout } = await git.engine(['ls-tree', '-r', '-t', '-z', '--full-tree', '--end-of-options', tree], {
    gitDir: repo,
  })
  const paths = new Map<string, Map<string, TreeLine>>([['', new Map()]])
  // `100644 blob <id>\t<path>`; a folder comes before its content.
  for (const line of stdout.toString('latin1').split('\0')) {
    const tab = line.indexOf('\t')
    if (tab < 0) continue
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ')
    const path = line.slice(tab + 1)
    if (mode === '040000') paths.set(path, new Map())
    const { folder, name } = splitPath(path)
    paths.get(folder)?.set(name, { mode: mode.replace(/^0/, ''), id })
  }
  return paths
}

/** Files and submodules, with their paths. */
export function filesIn(paths: TreePaths): Map<string, TreeLine> {
  const files = new Map<string, TreeLine>()
  for (const [folder, lines] of paths)
    for (const [name, line] of lines) if (line.mode !== '40000') files.set(joinPath(folder, name), line)
  return files
}

/**
 * The ids of folders whose lines hash to another id: the object is damaged, or written in an old form that git still
 * reads, such as `100664`.
 */
export function misnamedFolders(paths: TreePaths, tree: TreeId, format: ObjectFormat): string[] {
  const ids = [...paths].map(([folder, lines]) => ({ lines, id: folder === '' ? tree : lineAt(paths, folder)?.id }))
  return ids.flatMap(({ lines, id }) => (id === undefined || idOf(format, 'tree', treeBytes(lines)) === id ? [] : [id]))
}

export interface Difference {
  readonly before: readonly TreeLine[]
  readonly after: readonly TreeLine[]
}

/** Lines of files and folders that differ between the two. */
export function differing(from: TreePaths, to: TreePaths): Difference {
  const before: TreeLine[] = []
  const after: TreeLine[] = []
  const look = (folder: string): void => {
    const [old, now] = [from.get(folder), to.get(folder)]
    if (old === now) return
    for (const name of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      const [was, is] = [old?.get(name), now?.get(name)]
      if (was?.id === is?.id && was?.mode === is?.mode) continue
      if (was !== undefined) before.push(was)
      if (is !== undefined) after.push(is)
      if (was?.mode === '40000' || is?.mode === '40000') look(joinPath(folder, name))
    }
  }
  look('')
  return { before, after }
}

/** Null where there is none. */
export function lineAt(paths: TreePaths, path: string): TreeLine | null {
  const { folder, name } = splitPath(path)
  return paths.get(folder)?.get(name) ?? null
}

function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) }
}

export function isIn(paths: TreePaths, path: string): boolean {
  const { folder, name } = splitPath(path)
  return paths.get(folder)?.has(name) ?? false
}

/** A path below a folder, as bytes for system calls. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}
