// Compares the files of a folder with the engine's private index of it, without git. Only for small folders: a process
// of git takes as long as 500 of our comparisons.
import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../../../system/errno.ts'
import { overwrite } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { type IndexEntry, indexBytes, lookOf, readIndex, secondOf, secondOnDisk } from '../objects/index-file.ts'
import type { Objects } from '../objects/objects.ts'
import { type TreePaths, bytesOf } from '../objects/tree-paths.ts'
import type { Place } from '../repository/fast-path.ts'

const FILES_MAX = 500
/** Largest file whose content is compared. */
const CONTENT_BYTES_MAX = 1_048_576
const INDEX_BYTES_MAX = 1_048_576

export interface KnownIndex {
  readonly entries: ReadonlyMap<string, IndexEntry>
  /** A file that changed before this second has other times after every later change; in seconds since 1970. */
  readonly trustedBefore: number
}

export function isSmall(paths: TreePaths): boolean {
  let files = 0
  for (const lines of paths.values()) files += lines.size
  return files <= FILES_MAX
}

/** Null where git has to read it. */
export function knownIndex({ objects }: GitContext, { gitDir }: Place): KnownIndex | null {
  try {
    const path = join(gitDir, 'index')
    const { size, mtimeMs } = lstatSync(path)
    const entries = size > INDEX_BYTES_MAX ? null : readIndex(readFileSync(path), objects.format)
    if (entries === null || entries.length > FILES_MAX) return null
    // A second change within one tick of the clock keeps the times, so the last full second proves nothing.
    const trustedBefore = Math.floor(mtimeMs / 1000) - 1
    return { entries: new Map(entries.map((entry) => [entry.path, entry])), trustedBefore }
  } catch {
    return null
  }
}

/**
 * Call it before the first file is looked at: the index bears the time of this call by the clock of the disk, however
 * long writing takes. A torn index has a wrong checksum, and git makes it anew.
 */
export function startIndex({ objects }: GitContext, { gitDir }: Place): (entries: readonly IndexEntry[]) => void {
  const startedAt = secondOnDisk(join(gitDir, 'clock'))
  return (entries) => {
    overwrite(join(gitDir, 'index'), indexBytes(entries, objects.format))
    utimesSync(join(gitDir, 'index'), startedAt, startedAt)
  }
}

/** Null where nothing is there; throws where it cannot be read. */
export function statsAt(folder: string, path: string): BigIntStats | null {
  try {
    return lstatSync(bytesOf(folder, path), { bigint: true })
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return null
    throw error
  }
}

/** Null for everything but files and links. */
export function modeOf(stats: BigIntStats): string | null {
  if (stats.isSymbolicLink()) return '120000'
  if (!stats.isFile()) return null
  return (stats.mode & 0o100n) === 0n ? '100644' : '100755'
}

/** By its times, inode and size alone, the content is the one in the index. */
export function isUntouched({ trustedBefore }: KnownIndex, entry: IndexEntry, stats: BigIntStats): boolean {
  const { mode, look } = entry
  return modeOf(stats) === mode && lookOf(stats, mode).equals(look) && secondOf(look) < trustedBefore
}

/** The id of a file's content; null for a large file or one that is not plain. */
export function contentId({ format }: Objects, folder: string, path: string): string | null {
  const file = openSync(bytesOf(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > CONTENT_BYTES_MAX) return null
    const bytes = contentOf(file)
    return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
  } finally {
    closeSync(file)
  }
}

/** Most files fit into it, so reading one allocates nothing; its content is valid until the next file. */
const spare = Buffer.allocUnsafeSlow(65_536)

function contentOf(file: number): Buffer {
  const length = readSync(file, spare, 0, spare.length, 0)
  return length < spare.length ? spare.subarray(0, length) : readFileSync(file)
}
