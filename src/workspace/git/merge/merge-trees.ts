// Puts work made on one commit on top of another. A merged tree is new, so the caller verifies it again.
import type { BuildId, CommitId, TreeId } from '../../../core/values/id.ts'
import type { MergedTrees } from '../../workspace.ts'
import { headOf } from '../repository/branch.ts'
import { type Commit, RALPH, writeCommit } from '../repository/commits.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { rememberMergeBase } from '../repository/pins.ts'
import { combinedRef } from '../repository/layout.ts'
import { writeRef } from '../repository/refs.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'

export async function mergeTrees(
  context: GitContext,
  build: BuildId,
  base: CommitId,
  tree: TreeId,
): Promise<MergedTrees> {
  const head = await headOf(context, build)
  if (head.commit === base) return { is: 'clean', head: base, tree, moved: false }
  const merge = (await isAncestor(context, base, head.commit))
    ? await runMergeTree(context, head.commit, await commitOf(context, tree, [base]))
    : await mergeTreesFrom(context, await treeOf(context, base), head.tree, tree)
  // The ref tells the next attempt on this tree its base.
  await writeRef(context, combinedRef(build, merge.tree), await commitOf(context, merge.tree, [head.commit]))
  rememberMergeBase(context, build, merge.tree, head.commit)
  if (merge.conflicts.length > 0) return { is: 'conflict', head: head.commit, tree: merge.tree, paths: merge.conflicts }
  return { is: 'clean', head: head.commit, tree: merge.tree, moved: true }
}

export async function mergeWith(context: GitContext, build: BuildId, commit: CommitId): Promise<MergedTrees> {
  if (!(await hasObject(context, commit))) await takeOver(context, commit)
  const head = await headOf(context, build)
  if (await isAncestor(context, commit, head.commit))
    return { is: 'clean', head: head.commit, tree: head.tree, moved: false }
  const { tree, conflicts } = await runMergeTree(context, head.commit, commit)
  if (conflicts.length > 0) return { is: 'conflict', head: head.commit, tree, paths: conflicts }
  return { is: 'clean', head: head.commit, tree, moved: true }
}

export async function isAncestor({ git, paths }: GitContext, one: CommitId, other: CommitId): Promise<boolean> {
  const { code } = await git.engine(['merge-base', '--is-ancestor', one, other], { gitDir: paths.repo, answers: [1] })
  return code === 0
}

export interface MergedTree {
  /** With conflict markers in the files that conflict. */
  readonly tree: TreeId
  readonly conflicts: readonly string[]
}

/** A three-way merge with the best common ancestor, in memory, by git's own merge driver only. */
export async function runMergeTree({ git, paths }: GitContext, ours: CommitId, theirs: CommitId): Promise<MergedTree> {
  const { stdout } = await git.engine(
    ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs],
    { gitDir: paths.repo, answers: [1] },
  )
  const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0').filter(Boolean)
  return { tree: tree as TreeId, conflicts: [...new Set(conflicts)] }
}

/** A three-way merge with this tree as the common ancestor, whatever the history says. */
export async function mergeTreesFrom(
  context: GitContext,
  ancestor: TreeId,
  ours: TreeId,
  theirs: TreeId,
): Promise<MergedTree> {
  const from = await commitOf(context, ancestor, [])
  return runMergeTree(context, await commitOf(context, ours, [from]), await commitOf(context, theirs, [from]))
}

/** Always the same commit for the same tree and parents. */
export async function commitOf({ objects }: GitContext, tree: TreeId, parents: readonly CommitId[]): Promise<CommitId> {
  return writeCommit(objects, plainCommit(tree, parents))
}

export function plainCommit(tree: TreeId, parents: readonly CommitId[]): Commit {
  return { tree, parents, author: RALPH, committer: RALPH, at: 0, message: 'a tree of Ralph’s' }
}
