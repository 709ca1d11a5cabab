// Finds what an agent changed without git, where no new file could be an ignored one.
import type { GitContext } from '../repository/git-context.ts'
import { contentId, isSmall, isUntouched, type KnownIndex, knownIndex, modeOf, statsAt } from './known-files.ts'
import type { IndexEntry } from '../objects/index-file.ts'
import { neverTaken } from '../repository/excluded-paths.ts'
import { walk } from '../agent-folder/untracked-files.ts'
import type { Place, Changes } from '../repository/fast-path.ts'

/** Null where git has to look. */
export async function findChangesQuickly(context: GitContext, place: Place): Promise<Changes | null> {
  const { isPlainDisk, copy } = context
  const paths = context.trees.paths(context.indexes.of(place))
  if (paths === undefined || !isPlainDisk || !isSmall(paths)) return null
  try {
    const { untracked } = await walk(place.folder, paths)
    const index = untracked.every(({ path }) => neverTaken(copy)(path)) ? knownIndex(context, place) : null
    return index === null ? null : compareFiles(context, place, index)
  } catch {
    // A folder cannot be read, or a file comes and goes: git has a message for that.
    return null
  }
}

/** Null where git has to look. */
export async function changedFilesQuickly(context: GitContext, place: Place): Promise<readonly string[] | null> {
  const index = context.isPlainDisk ? knownIndex(context, place) : null
  if (index === null) return null
  try {
    const changes = compareFiles(context, place, index)
    return changes === null ? null : [...changes.modified, ...changes.deleted]
  } catch {
    return null
  }
}

function compareFiles(context: GitContext, { folder }: Place, index: KnownIndex): Changes | null {
  const modified: string[] = []
  const deleted: string[] = []
  for (const entry of index.entries.values()) {
    const how = changeOf(context, folder, index, entry)
    if (how === null) return null
    if (how === 'deleted') deleted.push(entry.path)
    if (how === 'modified') modified.push(entry.path)
  }
  return { modified, deleted, untracked: [], unreadable: [], cut: false }
}

/** Null where only git can tell: links, submodules, large files with other times. */
function changeOf(
  { objects }: GitContext,
  folder: string,
  index: KnownIndex,
  entry: IndexEntry,
): 'none' | 'modified' | 'deleted' | null {
  if (entry.mode === '160000') return null
  const stats = statsAt(folder, entry.path)
  if (stats === null) return 'deleted'
  if (isUntouched(index, entry, stats)) return 'none'
  const mode = modeOf(stats)
  if (mode !== entry.mode) return mode === null ? null : 'modified'
  const id = mode === '120000' ? null : contentId(objects, folder, entry.path)
  if (id === null) return null
  return id === entry.id ? 'none' : 'modified'
}
