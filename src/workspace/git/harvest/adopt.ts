// Makes a person's own fix the work of a task: a commit, a checkout or any folder. It is put on the commit that the
// task's work is based on, so it undoes nothing that was merged meanwhile.
import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import type { CommitId } from '../../../core/values/id.ts'
import type { AttemptMark, Harvest } from '../../workspace.ts'
import { headOf } from '../repository/branch.ts'
import { commitOf, isAncestor, runMergeTree } from '../merge/merge-trees.ts'
import { type TakenIn, takeCheckout, takeFolderContent, worktreesOf } from './adopt-folder.ts'
import type { GitContext } from '../repository/git-context.ts'
import { treeOf } from '../repository/commit-trees.ts'
import { findFolder } from '../agent-folder/folder-owners.ts'
import { branchName } from '../repository/layout.ts'
import { pin } from '../repository/pins.ts'
import type { Pool } from '../agent-folder/folder-place.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'

export type Source = { readonly folder: string } | { readonly ref: string }

export async function adopt(context: GitContext, pool: Pool, from: Source, mark: AttemptMark): Promise<Harvest> {
  const base = (await findFolder(pool, mark))?.base ?? (await headOf(context, mark.build)).commit
  const found = 'ref' in from ? await takeRef(context, from.ref) : await takeFolder(context, pool, from.folder, base)
  if (!found.taken) return found
  const onTheirs = await commitOf(context, found.tree, found.base === null ? [] : [found.base])
  const { tree, conflicts } =
    found.base === null || found.base === base
      ? { tree: found.tree, conflicts: [] }
      : await runMergeTree(context, base, onTheirs)
  if (conflicts.length > 0) {
    const reason = `it conflicts with the work on ${branchName(mark.build)} in ${conflicts.join(', ')}; make it on that branch`
    return { taken: false, reason }
  }
  await pin(context, mark, { tree, base, agentCommits: found.base === base ? [] : [onTheirs] })
  return { taken: true, tree }
}

async function takeRef(context: GitContext, ref: string): Promise<TakenIn> {
  const commit = await takeCommit(context, ref)
  if (commit === null) throw refuse('COMMIT_NOT_FOUND', { ref })
  return { taken: true, tree: await treeOf(context, commit), base: commit }
}

export async function holds(context: GitContext, commit: CommitId, ref: string): Promise<boolean | 'unknown'> {
  const named = await takeCommit(context, ref)
  return named === null ? 'unknown' : isAncestor(context, named, commit)
}

/** Null: there is no such commit. */
async function takeCommit(context: GitContext, ref: string): Promise<CommitId | null> {
  const { git, user } = context
  const { code, stdout } = await git.user(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    gitDir: user.gitDir,
    commonDir: user.commonDir,
    answers: [1, 128],
  })
  const commit = stdout.toString().trim() as CommitId
  if (code !== 0 || ref === '') return null
  if (!(await hasObject(context, commit))) await takeOver(context, commit)
  return commit
}

async function takeFolder(context: GitContext, pool: Pool, folder: string, base: CommitId): Promise<TakenIn> {
  const path = await realpath(folder).catch(() => null)
  if (path === null) throw refuse('FILE_UNREADABLE', { path: folder, reason: 'there is no such folder' })
  const entry = (await pool.list()).find(({ slot }) => slot.folder === path)
  if (entry !== undefined)
    return takeFolderContent(context, path, entry.record?.holder?.base ?? base, entry.slot.gitDir)
  for (const worktree of await worktreesOf(context)) {
    if (worktree === path) return takeCheckout(context, path)
    if (!relative(worktree, path).startsWith('..'))
      return { taken: false, reason: `${folder} is only a part of a checkout; name ${worktree}` }
  }
  return takeFolderContent(context, path, base, null)
}
