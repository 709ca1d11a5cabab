// What two trees do not share, and whether the objects of it hold what their names say.
import { refuse } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import { pathsOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { requireIntact } from '../repository/intact.ts'
import type { TreeLine } from '../objects/tree-object.ts'
import { type Difference, differing } from '../objects/tree-paths.ts'

/** All that the later tree has and the earlier has not. */
export async function requireNewIntact(context: GitContext, from: TreeId, to: TreeId): Promise<void> {
  const { after } = await differenceOf(context, from, to)
  await requireIntact(context, [to, ...after.filter(({ mode }) => mode !== SUBMODULE).map(({ id }) => id)])
}

/** By the ids of both, and with the content of all files in it intact, the old and the new. */
export async function intactDifference(context: GitContext, from: TreeId, to: TreeId): Promise<Difference> {
  const difference = await differenceOf(context, from, to)
  await requireIntact(
    context,
    idsOf(difference, ({ mode }) => mode !== FOLDER && mode !== SUBMODULE),
  )
  return difference
}

/** `ids`: of the files that git took for changed. It reads folders anew, and from whatever is there now. */
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
