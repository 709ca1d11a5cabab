// Finds obstacles to a build in this repository before anything is made for one.
import { refuse } from '../../../core/error/error.ts'
import { requireNoConversion } from './line-ending-conversions.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { BRANCHES } from '../repository/layout.ts'
import { takenOver } from './start-build.ts'
import { headCommit } from '../repository/user-repository.ts'

export async function admit(context: GitContext): Promise<void> {
  if (await isBranch(context, BRANCHES)) throw refuse('BRANCH_IN_THE_WAY', { branch: BRANCHES })
  const head = await headCommit(context.git, context.user)
  if (head !== null) await requireNoConversion(context, await treeOf(context, await takenOver(context, head)))
}

/** In the user's repository. */
async function isBranch({ git, user }: GitContext, name: string): Promise<boolean> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${name}`]
  return (await git.user(asked, { gitDir: user.commonDir, answers: [1, 128] })).code === 0
}
