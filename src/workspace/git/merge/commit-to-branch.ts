// Commits a tree to the build branch. The note is in place before the branch moves, so no commit is ever without its
// evidence. Both moves are one transaction, which fails where the branch has moved.
import { refuse, RalphError } from '../../../core/error/error.ts'
import type { BuildId, CommitId, TreeId } from '../../../core/values/id.ts'
import type { LandingWays, Version } from '../../workspace.ts'
import { gitTime, startCommit } from '../repository/commits.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { requireNewIntact } from '../tree/intact-trees.ts'
import { NOTES_REF, branchRef } from '../repository/layout.ts'
import { notesWith } from '../repository/notes.ts'
import type { Writing } from '../objects/objects.ts'
import { moveRefs, readRef } from '../repository/refs.ts'

/** Builds share the notes, so another build may commit at the same moment. */
const ROUNDS_MAX = 100
/** A person may have to unlock a key. */
const SIGN_DEADLINE_MS = 5 * 60_000

export interface Landing {
  readonly build: BuildId
  readonly onto: CommitId
  readonly tree: TreeId
  readonly message: string
  readonly note: string
  readonly how: LandingWays
}

export async function commitToBranch(context: GitContext, landing: Landing): Promise<Version | null> {
  const { repo } = context.paths
  const branch = branchRef(landing.build)
  let made: Writing | null = null
  let intended: Promise<boolean> | null = null
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if ((await readRef(repo, branch)) !== landing.onto) return null
    made ??= await startLanded(context, landing)
    // The tree must be intact as later readers will see it.
    await requireNewIntact(context, await treeOf(context, landing.onto), landing.tree)
    const commit = made.id as CommitId
    const notes = await readRef(repo, NOTES_REF)
    // The id is known before the object is written, so the intention is recorded meanwhile.
    intended ??= landing.how.intend?.(commit) ?? Promise.resolve(true)
    const [noted, isIntended] = await Promise.all([
      notesWith(context, notes, commit, landing.note),
      intended,
      made.written,
    ])
    if (!isIntended) return null
    const moves = [
      { name: NOTES_REF, to: noted, from: notes },
      { name: branch, to: commit, from: landing.onto },
    ]
    if (!(await moveRefs(context, moves))) continue
    context.mirrorState.moved(NOTES_REF, branch)
    context.trees.addCommit(commit, landing.tree)
    return { commit, tree: landing.tree }
  }
  throw refuse('GIT_LOCKED', { path: `${repo}/${NOTES_REF}` })
}

async function startLanded(context: GitContext, { onto, tree, message, how }: Landing): Promise<Writing> {
  const { objects, identity, now } = context
  const { author, committer, signing } = identity
  const parents = how.also === undefined ? [onto] : [onto, how.also]
  if (signing === null) return startCommit(objects, { tree, parents, author, committer, at: now(), message })
  return { id: await signedCommit(context, { parents, tree, message }, signing), written: Promise.resolve() }
}

/** Signs with the user's own keys, so it uses the user's own settings. */
async function signedCommit(
  { git, paths, identity, now }: GitContext,
  {
    parents,
    tree,
    message,
  }: { readonly parents: readonly CommitId[]; readonly tree: TreeId; readonly message: string },
  settings: readonly string[],
): Promise<CommitId> {
  const { author, committer } = identity
  try {
    const { stdout } = await git.user(
      [
        ...settings.flatMap((one) => ['-c', one]),
        'commit-tree',
        '-S',
        ...parents.flatMap((one) => ['-p', one]),
        '-F',
        '-',
        tree,
      ],
      {
        gitDir: paths.repo,
        input: `${message.trimEnd()}\n`,
        deadlineMs: SIGN_DEADLINE_MS,
        env: {
          GIT_AUTHOR_NAME: author.name,
          GIT_AUTHOR_EMAIL: author.email,
          GIT_AUTHOR_DATE: gitTime(now()),
          GIT_COMMITTER_NAME: committer.name,
          GIT_COMMITTER_EMAIL: committer.email,
          GIT_COMMITTER_DATE: gitTime(now()),
        },
      },
    )
    return stdout.toString().trim() as CommitId
  } catch (error) {
    if (error instanceof RalphError && ['GIT_FAILED', 'GIT_SLOW'].includes(error.code))
      throw refuse('GIT_UNSIGNED', { reason: error.message }, error)
    throw error
  }
}
