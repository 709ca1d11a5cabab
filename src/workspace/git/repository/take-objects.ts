// Copies objects of the user's repository into the engine's.
import type { CommitId } from '../../../core/values/id.ts'
import type { GitContext } from './git-context.ts'

/** Writes no ref, no FETCH_HEAD, no tag, and packs nothing, on either side. */
export const FETCH = [
  'fetch',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-gc',
  '--no-prune',
  '--no-recurse-submodules',
]

/** Copies a commit with everything that it contains; git checks the ids on the way. */
export async function takeOver({ git, paths, user }: GitContext, commit: CommitId): Promise<void> {
  await git.user(['-c', 'protocol.version=2', ...FETCH, '--quiet', '--end-of-options', user.commonDir, commit], {
    gitDir: paths.repo,
  })
}

export async function hasObject({ git, paths }: GitContext, commit: CommitId): Promise<boolean> {
  const { code } = await git.engine(['cat-file', '-e', `${commit}^{tree}`], { gitDir: paths.repo, answers: [1, 128] })
  return code === 0
}
