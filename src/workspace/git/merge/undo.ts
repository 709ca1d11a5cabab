// Undoes a commit: the present branch without the changes of that commit.
import type { BuildId, CommitId } from '../../../core/values/id.ts'
import type { MergedTrees } from '../../workspace.ts'
import { headOf } from '../repository/branch.ts'
import { mergeTreesFrom } from './merge-trees.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'

/** A three-way merge: from the commit to its parent, and from the commit to the head. */
export async function undo(context: GitContext, build: BuildId, commit: CommitId): Promise<MergedTrees> {
  const head = await headOf(context, build)
  const { stdout } = await context.git.engine(['rev-parse', '--verify', '--end-of-options', `${commit}^`], {
    gitDir: context.paths.repo,
  })
  const before = await treeOf(context, stdout.toString().trim() as CommitId)
  const { tree, conflicts } = await mergeTreesFrom(context, await treeOf(context, commit), head.tree, before)
  if (conflicts.length > 0) return { is: 'conflict', head: head.commit, tree, paths: conflicts }
  return { is: 'clean', head: head.commit, tree, moved: tree !== head.tree }
}
