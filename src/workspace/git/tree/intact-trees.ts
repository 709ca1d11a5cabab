// The differences between two trees, and whether their objects are intact.
import { refuse } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import { pathsOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { requireIntact } from '../repository/intact.ts'
import type { TreeLine } from '../objects/tree-object.ts'
import { type Difference, differing } from '../objects/tree-paths.ts'

/** Requires everything that only the later tree has to be intact. */
export async function requireNewIntact(context: GitContext, from: TreeId, to: TreeId): Promise<void> {
  const { after } = await differenceOf(context, from, to)
  await requireIntact(context, [to, ...after.filter(({ mode }) => mode !== SUBMODULE).map(({ id }) => id)])
}

/** The difference by the ids of both; the content of all files in it, old and new, is intact. */
export async function intactDifference(context: GitContext, from: TreeId, to: TreeId): Promise<Difference> {
  const difference = await differenceOf(context, from, to)
  await requireIntact(
    context,
    idsOf(difference, ({ mode }) => mode !== FOLDER && mode !== SUBMODULE),
  )
  return difference
}

/** `ids`: the files that git reports as changed. Git reads the folders again, so they may have changed since. */
export async function requireSameFiles(
  context: GitContext,
  ids: ReadonlySet<string>,
  { from, to, difference }: { readonly from: TreeId; readonly to: TreeId; readonly difference: Difference },
): Promise<void> {
  const known = new Set(idsOf(difference, ({ mode }) => mode !== FOLDER))
  if (ids.size === known.size && [...known].every((id) => ids.has(id))) return
  await requireIntact(context, [from, to, ...idsOf(difference, ({ mode }) => mode === FOLDER)])
  throw refuse('GIT_FAILED', {
    verb: 'diff-tree',
    reason: `objects in ${context.paths.repo} change while they are read`,
  })
}

const FOLDER = '40000'
const SUBMODULE = '160000'

async function differenceOf(context: GitContext, from: TreeId, to: TreeId): Promise<Difference> {
  const [before, after] = await Promise.all([pathsOf(context, from), pathsOf(context, to)])
  return differing(before, after)
}

function idsOf({ before, after }: Difference, isWanted: (line: TreeLine) => boolean): string[] {
  return [...before, ...after].filter(isWanted).map(({ id }) => id)
}
