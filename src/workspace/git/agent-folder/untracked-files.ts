// Everything in a folder that is not part of its tree. `git clean` would not do: it leaves named pipes, sockets, and
// git dirs planted in tracked folders.
import { type Dirent } from 'node:fs'
import { entriesIn } from '../../../system/files.ts'
import type { TreeLines } from '../objects/tree-object.ts'
import { bytesOf, type TreePaths } from '../objects/tree-paths.ts'
import type { UntrackedFile } from '../repository/fast-path.ts'

/** Folders read at once: Node has four threads for this. */
const FOLDERS_AT_ONCE = 16

export interface WalkResult {
  readonly untracked: readonly UntrackedFile[]
  /** Every file and folder of the tree is there and of its kind; their content was not read. */
  readonly isWhole: boolean
}

/** `keep`: paths that stay with everything below them. The walk skips the folder's own `.git`. */
export async function walk(
  folder: string,
  known: TreePaths,
  keep: ReadonlySet<string> = new Set(),
): Promise<WalkResult> {
  const kept = [...keep]
  const untracked: UntrackedFile[] = []
  const open = ['']
  let missing = countOf(known)
  const sort = (prefix: string, entry: Dirent): void => {
    const path = prefix + entry.name
    const isOfTree = isKnown(entry, known.get(prefix.slice(0, -1)))
    if (isOfTree) missing -= 1
    if (path === '.git' || keep.has(path)) return
    const leadsToKept = entry.isDirectory() && kept.some((one) => one.startsWith(`${path}/`))
    if (!isOfTree && !leadsToKept) untracked.push({ path, plain: isPlain(entry) })
    else if (entry.isDirectory()) open.push(`${path}/`)
  }
  while (open.length > 0) {
    const prefixes = open.splice(-FOLDERS_AT_ONCE)
    const listed = await Promise.all(prefixes.map((prefix) => entriesIn(bytesOf(folder, prefix))))
    for (const [at, entries] of listed.entries()) for (const entry of entries) sort(prefixes[at] ?? '', entry)
  }
  return { untracked, isWhole: missing === 0 }
}

function countOf(known: TreePaths): number {
  let count = 0
  for (const lines of known.values()) count += lines.size
  return count
}

/** The tree knows a submodule as a folder, and nothing in it. */
function isKnown(entry: Dirent, lines: TreeLines | undefined): boolean {
  const mode = lines?.get(entry.name)?.mode
  return mode !== undefined && entry.isDirectory() === ['40000', '160000'].includes(mode)
}

function isPlain(entry: Dirent): boolean {
  return (entry.isFile() || entry.isDirectory()) && entry.name.toLowerCase() !== '.git'
}
