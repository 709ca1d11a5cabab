// The commits of the build branch, and how foreign ones are taken off it again.
import { join } from 'node:path'
import type { BuildId, CommitId, TreeId } from '../../../core/values/id.ts'
import type { BranchCommit } from '../../workspace.ts'
import { isAncestor } from './merge-trees.ts'
import { readIfThere } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { baseRef, branchName, branchRef, foreignRef } from '../repository/layout.ts'
import { moveRefs, readRef, writeRef } from '../repository/refs.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'

/** More commits than this are not listed. */
const COMMITS_MAX = 10_000

export async function history(
  { git, paths }: GitContext,
  build: BuildId,
  from: CommitId,
  since: CommitId | null,
): Promise<BranchCommit[]> {
  const base = since ?? (await readRef(paths.repo, baseRef(build)))
  if (from === base) return []
  const range = [from, ...(base === null ? [] : [`^${base}`])]
  const { stdout } = await git.engine(
    ['log', '-z', '--first-parent', `--max-count=${COMMITS_MAX}`, '--format=%H%n%T%n%P%n%B', ...range, '--'],
    { gitDir: paths.repo },
  )
  const texts = stdout.toString('utf8').split('\0').filter(Boolean)
  return texts.map((text) => {
    const [commit = '', tree = '', parents = '', ...message] = text.split('\n')
    const [parent = ''] = parents.split(' ')
    const ids = { commit: commit as CommitId, tree: tree as TreeId, parent: parent as CommitId }
    return { ...ids, message: message.join('\n') }
  })
}

export async function putBack(
  context: GitContext,
  build: BuildId,
  from: CommitId,
  to: CommitId,
): Promise<{ readonly ref: string | null } | null> {
  const { mirrorState } = context
  // The user's repository has everything that was merged.
  if (!(await hasObject(context, to))) await takeOver(context, to)
  const ref = (await isAncestor(context, from, to)) ? null : foreignRef(build, from)
  if (ref !== null) {
    await writeRef(context, ref, from)
    mirrorState.moved(ref)
  }
  if (!(await moveRefs(context, [{ name: branchRef(build), to, from }]))) return null
  mirrorState.moved(branchRef(build))
  await putUsersBack(context, build, from, to)
  return { ref }
}

/**
 * The user's repository may have the foreign commits already. A branch that is checked out follows by itself
 * (in-place.ts).
 */
async function putUsersBack(context: GitContext, build: BuildId, from: CommitId, to: CommitId): Promise<void> {
  const { git, user, mirrorState } = context
  const name = branchRef(build)
  // The known state of the user's repository may include the commit that is gone.
  mirrorState.forget(build)
  if ((await readRef(user.commonDir, name)) !== from) return
  const head = await readIfThere(join(user.gitDir, 'HEAD'))
  if (head?.trim() === `ref: refs/heads/${branchName(build)}`) return
  await git.user(['update-ref', '-m', 'ralph: put back', name, to, from], { gitDir: user.commonDir, answers: [1, 128] })
}
