// The paths of a tree, folder by folder. Names are kept as Latin-1 text, one character per byte: git knows no encoding, and
// neither may we, or a name that is no UTF-8 could not be told from another.
import type { TreeId } from '../../core/id.ts'
import type { Git } from './git.ts'
import type { TreeLine, TreeLines } from './tree-object.ts'

/** Path of a folder (the root is '') → what is in it. */
export type TreePaths = ReadonlyMap<string, TreeLines>

export async function readTreePaths(git: Git, repo: string, tree: TreeId): Promise<TreePaths> {
  const { stdout } = await git.engine(['ls-tree', '-r', '-t', '-z', '--full-tree', '--end-of-options', tree], {
    gitDir: repo,
  })
  const paths = new Map<string, Map<string, TreeLine>>([['', new Map()]])
  // `100644 blob <id>\t<path>`, a folder before what is in it.
  for (const line of stdout.toString('latin1').split('\0')) {
    const tab = line.indexOf('\t')
    if (tab < 0) continue
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ')
    const path = line.slice(tab + 1)
    if (mode === '040000') paths.set(path, new Map())
    const { folder, name } = parted(path)
    paths.get(folder)?.set(name, { mode: mode.replace(/^0/, ''), id })
  }
  return paths
}

export function parted(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) }
}

export function isIn(paths: TreePaths, path: string): boolean {
  const { folder, name } = parted(path)
  return paths.get(folder)?.has(name) ?? false
}

/** A path below a folder, as the bytes that the system wants. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}
