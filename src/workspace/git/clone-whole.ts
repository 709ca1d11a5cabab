// A repository copied object by object: nothing is linked to the original or borrowed from it, and an object whose content
// does not match its hash is not taken for what it is called.
import { LOOKED_AT, startGit } from './git.ts'
import { layoutOf } from './layout.ts'
import { FETCH } from './take-over.ts'

export interface WholeClone {
  /** Commits of the original that no branch, tag or note of it leads to: they are not in a clone by themselves. */
  bring(commits: readonly string[]): Promise<void>
}

/** `state`: of the workspaces that are opened on the clone, which have objects of their own. */
export async function cloneWhole(
  env: Readonly<Record<string, string | undefined>>,
  commonDir: string,
  to: string,
  state: string,
): Promise<WholeClone> {
  const git = startGit(env)
  await git.clone(commonDir, to)
  const isIn = async (gitDir: string, commit: string): Promise<boolean> =>
    (await git.engine(['cat-file', '-e', `${commit}^{tree}`], { gitDir, answers: [1, 128] })).code === 0
  return {
    bring: async (commits) => {
      for (const commit of commits)
        for (const gitDir of [to, layoutOf(state, state).repo])
          // By its id, which only this protocol allows.
          if (!(await isIn(gitDir, commit)))
            await git.engine(['-c', 'protocol.version=2', ...LOOKED_AT, ...FETCH, '--quiet', commonDir, commit], {
              gitDir,
            })
    },
  }
}
