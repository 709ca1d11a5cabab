// The tree of a commit, and the paths of a tree.
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { type TreePaths, misnamedFolders, readTreePaths } from '../objects/tree-paths.ts'
import type { GitContext } from './git-context.ts'
import { requireIntact } from './intact.ts'

export async function treeOf({ git, paths, trees }: GitContext, commit: CommitId): Promise<TreeId> {
  const known = trees.of(commit)
  if (known !== undefined) return known
  const { stdout } = await git.engine(['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`], {
    gitDir: paths.repo,
  })
  const tree = stdout.toString().trim() as TreeId
  trees.addCommit(commit, tree)
  return tree
}

/** Follows the ids of the tree and its folders, and refuses objects that somebody has overwritten. */
export async function pathsOf(context: GitContext, tree: TreeId): Promise<TreePaths> {
  const { git, paths, trees, objects } = context
  const known = trees.paths(tree)
  if (known !== undefined) return known
  const read = await readTreePaths(git, paths.repo, tree)
  await requireIntact(context, misnamedFolders(read, tree, objects.format))
  trees.addPaths(tree, read)
  return read
}
