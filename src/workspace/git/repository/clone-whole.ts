// Copies a repository object by object: nothing is linked to the original or borrowed from it, and every object is
// named by the hash of its content.
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { LOOKED_AT, startGit } from '../command/git.ts'
import { layoutOf } from './layout.ts'
import { FETCH } from './take-objects.ts'
import type { Environment } from '../../../core/values/environment.ts'

export interface WholeClone {
  /** Commits of the original that no branch, tag or note leads to; a clone does not bring them by itself. */
  bring(commits: readonly string[]): Promise<void>
  /** Merges two commits as the workspaces on the clone have them; refuses where they conflict. */
  merge(ours: CommitId, theirs: CommitId): Promise<TreeId>
}

/** `state`: the state folder of the workspaces on the clone, which have their own objects. */
export async function cloneWhole(env: Environment, commonDir: string, to: string, state: string): Promise<WholeClone> {
  const git = startGit(env)
  await git.clone(commonDir, to)
  const isIn = async (gitDir: string, commit: string): Promise<boolean> =>
    (await git.engine(['cat-file', '-e', `${commit}^{tree}`], { gitDir, answers: [1, 128] })).code === 0
  const own = layoutOf(state, state).repo
  return {
    merge: async (...commits) => {
      const args = ['merge-tree', '--write-tree', '--no-messages', ...commits]
      const [tree] = (await git.engine(args, { gitDir: own })).stdout.toString().split('\n')
      return tree as TreeId
    },
    bring: async (commits) => {
      for (const commit of commits)
        for (const gitDir of [to, own])
          // Only this protocol fetches a commit by its id.
          if (!(await isIn(gitDir, commit)))
            await git.engine(['-c', 'protocol.version=2', ...LOOKED_AT, ...FETCH, '--quiet', commonDir, commit], {
              gitDir,
            })
    },
  }
}
