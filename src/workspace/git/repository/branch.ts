// The head of a build branch.
import { refuse } from '../../../core/error/error.ts'
import type { BuildId } from '../../../core/values/id.ts'
import type { Version } from '../../workspace.ts'
import { treeOf } from './commit-trees.ts'
import type { GitContext } from './git-context.ts'
import { branchRef } from './layout.ts'
import { readRef } from './refs.ts'

export async function findHead(context: GitContext, build: BuildId): Promise<Version | null> {
  const commit = await readRef(context.paths.repo, branchRef(build))
  return commit === null ? null : { commit, tree: await treeOf(context, commit) }
}

export async function headOf(context: GitContext, build: BuildId): Promise<Version> {
  const head = await findHead(context, build)
  if (head === null) throw refuse('BRANCH_NOT_FOUND', { build })
  return head
}
