// The paths of a tree. Names are kept as Latin-1 text, one character per byte: git knows no encoding, and neither may we,
// or a name that is no UTF-8 could not be told from another.
import type { TreeId } from '../../core/id.ts'
import type { Git } from './git.ts'

export interface TreePaths {
  /** Files and links. */
  readonly files: ReadonlySet<string>
  /** Folders that hold some of them, and those where a submodule belongs. */
  readonly folders: ReadonlySet<string>
}

export async function readTreePaths(git: Git, repo: string, tree: TreeId): Promise<TreePaths> {
  const { stdout } = await git.engine(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree], {
    gitDir: repo,
  })
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const line of stdout.toString('latin1').split('\0')) {
    const at = line.indexOf('\t')
    if (at < 0) continue
    const path = line.slice(at + 1)
    if (line.startsWith('160000 ')) folders.add(path)
    else files.add(path)
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return { files, folders }
}

/** A path below a folder, as the bytes that the system wants. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}
