// Notes that only the user's repository has: from another machine, or from a deleted state folder. The engine merges
// them, or mirroring would have to overwrite them.
import type { CommitId } from '../../../core/values/id.ts'
import type { GitContext } from './git-context.ts'
import { NOTES_REF } from './layout.ts'
import { deleteRefs, moveRefs, readRef } from './refs.ts'
import { hasObject, takeOver } from './take-objects.ts'

const MERGING = 'refs/notes/ralph-merging'

/** The user's notes commit, null where there is none; undefined where ours may not contain all of it. */
export async function takeUserNotes(context: GitContext): Promise<CommitId | null | undefined> {
  const { git, paths, user } = context
  const asked = await git.user(['rev-parse', '--verify', '--quiet', NOTES_REF], {
    gitDir: user.commonDir,
    answers: [1],
  })
  if (asked.code !== 0) return null
  const theirs = asked.stdout.toString().trim() as CommitId
  const ours = await readRef(paths.repo, NOTES_REF)
  if (ours !== null && (await isAncestor(context, theirs, ours))) return theirs
  if (!(await hasObject(context, theirs))) await takeOver(context, theirs)
  const both = ours === null ? theirs : await mergeNotes(context, ours, theirs)
  // The ref moved meanwhile: the next build merges them.
  return (await moveRefs(context, [{ name: NOTES_REF, to: both, from: ours }])) ? theirs : undefined
}

async function isAncestor({ git, paths }: GitContext, older: CommitId, newer: CommitId): Promise<boolean> {
  const call = { gitDir: paths.repo, answers: [1, 128] }
  return (await git.engine(['merge-base', '--is-ancestor', older, newer], call)).code === 0
}

async function mergeNotes(context: GitContext, ours: CommitId, theirs: CommitId): Promise<CommitId> {
  const { git, paths, identity } = context
  const { name, email } = identity.author
  await deleteRefs(context, [MERGING])
  await moveRefs(context, [{ name: MERGING, to: ours, from: null }])
  await git.engine(['notes', `--ref=${MERGING}`, 'merge', '--quiet', '--strategy=ours', theirs], {
    gitDir: paths.repo,
    env: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  })
  const both = await readRef(paths.repo, MERGING)
  await deleteRefs(context, [MERGING])
  return both ?? ours
}
