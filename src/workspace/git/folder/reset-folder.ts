// A folder that anybody may have written to is made to hold exactly some files, and nothing else, as if it had been made
// anew; what is right already stays. To remove and make some 20 files and folders takes ten times as long, and much more
// where the disk is busy.
import { lstatSync, mkdirSync, readFileSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { geteuid } from 'node:process'
import { overwrite } from '../../../system/files.ts'
import { isRemovedAtOnce } from '../../../system/remove-all.ts'

/** By path, relative to the folder. */
export type FolderFiles = ReadonlyMap<string, Buffer>

/** False where it has to be removed as a whole and made again: there is too much in it, or something is in the way. */
export function isReset(folder: string, files: FolderFiles): boolean {
  try {
    const root = lstatSync(folder, { throwIfNoEntry: false })
    if (root === undefined || !isOurFolder(root)) return false
    const folders = foldersOf(files)
    const missing = new Set(folders)
    if (!isCleared(folder, '', files, folders, missing)) return false
    for (const one of missing) mkdirSync(join(folder, one), { recursive: true })
    for (const [path, bytes] of files) settle(join(folder, path), bytes)
    return true
  } catch {
    return false
  }
}

function foldersOf(files: FolderFiles): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of files.keys())
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return folders
}

/** What does not belong there is gone; what is left are folders of ours, no longer `missing`, and single plain files. */
function isCleared(
  root: string,
  prefix: string,
  files: FolderFiles,
  folders: ReadonlySet<string>,
  missing: Set<string>,
): boolean {
  return readdirSync(join(root, prefix)).every((name) => {
    const path = prefix + name
    const stats = lstatSync(join(root, path))
    if (folders.has(path) && isOurFolder(stats)) {
      missing.delete(path)
      return isCleared(root, `${path}/`, files, folders, missing)
    }
    return (files.has(path) && isOurFile(stats)) || isRemovedAtOnce(join(root, path))
  })
}

function settle(path: string, bytes: Buffer): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size
  if (size !== bytes.length || !readFileSync(path).equals(bytes)) overwrite(path, bytes)
}

/** Under one name: a second one, wherever it is, would be written to as well. */
function isOurFile(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1 && stats.uid === geteuid?.() && (stats.mode & 0o7713) === 0o600
}

function isOurFolder(stats: Stats): boolean {
  return stats.isDirectory() && stats.uid === geteuid?.() && (stats.mode & 0o7702) === 0o700
}
