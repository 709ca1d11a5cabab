// Reads the content of a folder as a tree.
import { join } from 'node:path'
import type { TreeId } from '../../../core/values/id.ts'
import { findChanges, isUnchanged } from './changes.ts'
import { isFolder } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { sortChanges } from './harvest-rules.ts'
import { neverTaken } from '../repository/excluded-paths.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { insideOf } from '../agent-folder/sync.ts'
import type { Place } from '../repository/fast-path.ts'

export interface GatherResult {
  /** Null where nothing was taken. */
  readonly tree: TreeId | null
  readonly problems: readonly string[]
  /** Await this before anything names the tree; other flushes can run at the same time. */
  readonly written?: Promise<unknown>
}

/** `all`: everything or nothing. `rest`: as much as possible. */
export async function gather(context: GitContext, place: Place, what: 'all' | 'rest'): Promise<GatherResult> {
  if (!(await isFolder(place.folder))) return { tree: null, problems: ['the folder itself was deleted or replaced'] }
  // Nobody else uses this index, so a lock on it is from a killed git.
  await removeAll(join(place.gitDir, 'index.lock'))
  const found = (await context.fast.findChanges(context, place)) ?? (await findChanges(context, place))
  const isOurs = neverTaken(context.copy)
  const theirs = (paths: readonly string[]) => paths.filter((path) => !isOurs(path))
  const changes = {
    ...found,
    modified: theirs(found.modified),
    deleted: theirs(found.deleted),
    untracked: theirs(found.untracked),
  }
  const before = context.indexes.of(place)
  if (before !== undefined && isUnchanged(changes)) return { tree: before, problems: [] }
  const { taken, problems } = await sortChanges(place.folder, changes, context.limits)
  if (problems.length > 0 && what === 'all') return { tree: null, problems }
  const quick = await context.fast.gather(context, place, changes.deleted, taken)
  if (quick !== null) return { ...quick, problems }
  context.indexes.forget(place)
  const paths = taken.map(({ path }) => path)
  const left = [
    ...(await updateIndex(context, place, changes.deleted, ['--force-remove'])),
    ...(await updateIndex(context, place, paths, ['--add', '--remove', '--replace'])),
  ].map((path) => `git does not take ${path}; rename it or delete it`)
  if (left.length > 0 && what === 'all') return { tree: null, problems: left }
  return { tree: await indexTree(context, place), problems: [...problems, ...left] }
}

/** Answers with the paths that git refuses in any tree, such as a link called .gitmodules. */
async function updateIndex(
  context: GitContext,
  place: Place,
  paths: readonly string[],
  how: string[],
): Promise<string[]> {
  if (paths.length === 0) return []
  const { stderr } = await context.git.engine(['update-index', '-z', ...how, '--stdin'], {
    ...insideOf(context, place),
    input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
  })
  return [...stderr.matchAll(/^Ignoring path (.*)$/gm)].map(([, path = '']) => path)
}

/** The tree in the private index: the folder as it was made, or as git last read it. */
export async function indexTree({ git, paths, indexes }: GitContext, place: Place): Promise<TreeId> {
  const { stdout } = await git.engine(['write-tree'], { gitDir: place.gitDir, commonDir: paths.repo })
  const tree = stdout.toString().trim() as TreeId
  indexes.set(place, tree)
  return tree
}

const PROBLEMS_SHOWN_MAX = 5

/** One sentence for any number of problems. */
export function reasonOf(problems: readonly string[]): string {
  const more = problems.length - PROBLEMS_SHOWN_MAX
  return problems.slice(0, PROBLEMS_SHOWN_MAX).join('; ') + (more > 0 ? `; and ${more} more of this kind` : '')
}
