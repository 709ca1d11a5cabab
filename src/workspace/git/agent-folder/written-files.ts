// Reads back what git wrote into a folder: git writes whatever it finds under the name of an object.
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { refuse } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import type { GitContext } from '../repository/git-context.ts'
import { type IndexEntry, readIndex, secondOf } from '../objects/index-file.ts'
import { requireIntact } from '../repository/intact.ts'
import { type ObjectFormat, idOf } from '../objects/objects.ts'
import type { TreeLine } from '../objects/tree-object.ts'
import { type TreePaths, bytesOf, filesIn } from '../objects/tree-paths.ts'
import type { Place } from '../repository/fast-path.ts'

/** A file takes some 20 µs; other work gets its turn in between. */
const FILES_PER_TURN = 256

/**
 * The folder was made to hold a tree with these paths. `since`: the second, by the clock of the disk, in which git
 * started; older files were read back when they were written.
 */
export async function requireWritten(
  context: GitContext,
  place: Place,
  { tree, paths }: { readonly tree: TreeId; readonly paths: TreePaths },
  since: number,
): Promise<void> {
  const files = filesIn(paths)
  const entries = readIndex(readFileSync(join(place.gitDir, 'index')), context.objects.format)
  if (entries !== null && !isSame(entries, files)) {
    await requireIntact(context, treesIn(tree, paths))
    throw refuse('GIT_FAILED', { verb: 'read-tree', reason: `${place.folder} does not hold the tree ${tree}` })
  }
  const old = new Set((entries ?? []).filter(({ look }) => isBefore(look, since)).map(({ path }) => path))
  let looked = 0
  for (const [path, line] of files) {
    if (line.mode === '160000' || old.has(path)) continue
    if ((looked += 1) % FILES_PER_TURN === 0) await setImmediate()
    if (contentId(context.objects.format, place.folder, path, line) === line.id) continue
    await requireIntact(context, [line.id])
    // The object is intact, so somebody has written to the file.
    throw refuse('GIT_FAILED', { verb: 'read-tree', reason: `somebody else writes to ${place.folder}` })
  }
}

function isSame(entries: readonly IndexEntry[], files: ReadonlyMap<string, TreeLine>): boolean {
  const hasLine = ({ path, id, mode }: IndexEntry): boolean => {
    const line = files.get(path)
    return line?.id === id && line.mode === mode
  }
  return entries.length === files.size && entries.every(hasLine)
}

function treesIn(tree: TreeId, paths: TreePaths): string[] {
  const lines = [...paths.values()].flatMap((folder) => [...folder.values()])
  return [tree, ...lines.filter(({ mode }) => mode === '40000').map(({ id }) => id)]
}

/** Git records no time for a file that it did not look at. */
function isBefore(look: Buffer, since: number): boolean {
  return secondOf(look) !== 0 && secondOf(look) < since
}

const CHUNK = Buffer.allocUnsafeSlow(1_048_576)

/** Null where it is of another kind, or not there. */
function contentId(format: ObjectFormat, folder: string, path: string, { mode }: TreeLine): string | null {
  const at = bytesOf(folder, path)
  try {
    if (mode === '120000') return idOf(format, 'blob', readlinkSync(at, { encoding: 'buffer' }))
    const file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      return stats.isFile() ? hashOf(format, file, stats.size) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function hashOf(format: ObjectFormat, file: number, size: number): string {
  const hash = createHash(format).update(`blob ${size}\0`)
  for (let length = 1; length > 0;) {
    length = readSync(file, CHUNK, 0, CHUNK.length, null)
    hash.update(CHUNK.subarray(0, length))
  }
  return hash.digest('hex')
}
