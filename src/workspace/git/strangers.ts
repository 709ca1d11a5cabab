// What lies in a folder and is not part of the tree it should hold. `git clean` would not do: it leaves named pipes,
// sockets, and git dirs planted in tracked folders.
import { type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { bytesOf, type TreePaths } from './tree-paths.ts'

export interface Stranger {
  /** Relative to the folder, in Latin-1 (see tree-paths.ts). The topmost one: what is below it is not named. */
  readonly path: string
  /** A file or folder that may stay where git ignores it; not a pipe, a socket, a git dir, or a link to who knows where. */
  readonly plain: boolean
}

/** `keep`: paths that stay, with all that is in them. The folder's own `.git` is not looked at. */
export async function findStrangers(
  folder: string,
  known: TreePaths,
  keep: ReadonlySet<string> = new Set(),
): Promise<Stranger[]> {
  const kept = [...keep]
  const strangers: Stranger[] = []
  const open = ['']
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    for (const entry of await entriesOf(folder, prefix)) {
      const path = prefix + entry.name
      if (path === '.git' || keep.has(path)) continue
      if (isKnown(entry, path, known)) {
        if (entry.isDirectory()) open.push(`${path}/`)
      } else if (entry.isDirectory() && kept.some((one) => one.startsWith(`${path}/`))) open.push(`${path}/`)
      else strangers.push({ path, plain: isPlain(entry) })
    }
  }
  return strangers
}

function isKnown(entry: Dirent, path: string, { files, folders }: TreePaths): boolean {
  return entry.isDirectory() ? folders.has(path) : files.has(path)
}

function isPlain(entry: Dirent): boolean {
  return (entry.isFile() || entry.isDirectory()) && entry.name.toLowerCase() !== '.git'
}

async function entriesOf(folder: string, prefix: string): Promise<Dirent[]> {
  return readdir(bytesOf(folder, prefix), { withFileTypes: true, encoding: 'latin1' })
}
