// Starts a build: copies the user's present HEAD into the engine's repository and makes the build branch on it.
import { join } from 'node:path'
import type { BuildId, CommitId, TreeId } from '../../../core/values/id.ts'
import type { BuildStart, Workspaces } from '../../workspace.ts'
import { findHead, headOf } from '../repository/branch.ts'
import { writeCommit } from '../repository/commits.ts'
import { copyProblems } from '../agent-folder/copied-files.ts'
import { readIfThere } from '../../../system/files.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { baseRef, branchRef } from '../repository/layout.ts'
import { expectMirror } from '../mirror/mirror.ts'
import { emptyTree, writeObject } from '../objects/objects.ts'
import { moveRefs } from '../repository/refs.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'
import { type UserHead, readHead } from '../repository/user-repository.ts'
import { takeUserNotes } from '../repository/user-notes.ts'

export async function startBuild(context: GitContext, build: BuildId): Promise<BuildStart> {
  const user = await readHead(context.git, context.user)
  if ((await findHead(context, build)) === null) {
    const base = await baseOn(context, user)
    const to = { to: base, from: null }
    // Another process may have been first; its branch stays.
    await moveRefs(context, [
      { name: baseRef(build), ...to },
      { name: branchRef(build), ...to },
    ])
    const notes = await takeUserNotes(context)
    if (user.commit !== null && notes !== undefined) await expectMirror(context, build, { base, notes })
  }
  const head = await headOf(context, build)
  return { ...head, baseBranch: user.branch, isDirty: user.isDirty, notes: await notes(context, user) }
}

export async function takeHead(context: GitContext): ReturnType<Workspaces['takeHead']> {
  const user = await readHead(context.git, context.user)
  const commit = await baseOn(context, user)
  return { commit, tree: await treeOf(context, commit), isDirty: user.isDirty }
}

async function baseOn(context: GitContext, { commit }: UserHead): Promise<CommitId> {
  return commit === null ? firstCommit(context) : takenOver(context, commit)
}

/** Copies a commit of the user's with everything that it contains. */
export async function takenOver(context: GitContext, commit: CommitId): Promise<CommitId> {
  if (!(await hasObject(context, commit))) await takeOver(context, commit)
  return commit
}

async function firstCommit({ objects, identity, now }: GitContext): Promise<CommitId> {
  await writeObject(objects, 'tree', '')
  const tree = emptyTree(objects) as TreeId
  const { author, committer } = identity
  return writeCommit(objects, { tree, parents: [], author, committer, at: now(), message: 'chore: start from nothing' })
}

async function notes(context: GitContext, user: UserHead): Promise<string[]> {
  const { identity, user: repository } = context
  const read = async (name: string) =>
    repository.worktree === null ? '' : ((await readIfThere(join(repository.worktree, name))) ?? '')
  return [
    ...(user.commit === null ? ['nothing is committed yet, so the build branch starts with an empty commit'] : []),
    ...(identity.isMadeUp
      ? [
          `git knows no user.name or user.email here, so commits are by ${identity.author.name} <${identity.author.email}>`,
        ]
      : []),
    ...((await read('.gitmodules')) === '' ? [] : ['submodules are kept as they are, and are empty where agents work']),
    ...(/\bfilter=lfs\b/.test(await read('.gitattributes')) ? ['files in Git LFS are pointers where agents work'] : []),
    ...(await copyProblems(context)),
  ]
}
