// Folders that hold exactly a tree: for checks, which no agent ever writes, and for roles that only read.
//
// Each has its own git dir at the top, made anew every time. Without one, programs that call git there (a version
// script, a hook installer run by `npm ci`) would find the user's repository further up and could write to it.
import { refuse } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import type { Checkout, ReadOnlyCheckout } from '../../workspace.ts'
import { makeAgentGitDir } from '../agent-folder/agent-git-dir.ts'
import { changedFilesByGit, findChanges } from '../harvest/changes.ts'
import { commitOf, plainCommit } from '../merge/merge-trees.ts'
import { copyIn } from '../agent-folder/copied-files.ts'
import { isFolder } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { neverTaken } from '../repository/excluded-paths.ts'
import { type Pool, type Slot, takeAny } from '../agent-folder/folder-place.ts'
import { insideOf, preparePlace, requireFolder, syncPlace } from '../agent-folder/sync.ts'

export async function checkout(
  context: GitContext,
  pool: Pool,
  tree: TreeId,
  keep: readonly string[],
): Promise<Checkout> {
  const slot = await slotWith(context, pool, tree, keep)
  return {
    folder: slot.folder,
    tree,
    changedFiles: async () => (await changedTracked(context, slot)).map(utf8),
    restoreFiles: (paths) => restoreFiles(context, slot, paths),
    free: () => pool.giveBack(slot),
  }
}

/** In Latin-1 (see tree-paths.ts). */
async function changedTracked(context: GitContext, slot: Slot): Promise<readonly string[]> {
  await requireFolder(slot.folder)
  return (await context.fast.changedFiles(context, slot)) ?? (await changedFilesByGit(context, slot))
}

async function restoreFiles(context: GitContext, slot: Slot, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const call = { ...insideOf(context, slot), input: paths.map((path) => `${path}\0`).join('') }
  await context.git.engine(['checkout-index', '--force', '-z', '--stdin'], call)
  // Read back: git writes whatever it finds under the name of an object.
  const left = await changedTracked(context, slot)
  if (left.length === 0) return
  const reason = `${slot.folder} does not hold the tree: ${left.slice(0, 3).map(utf8).join(', ')}`
  throw refuse('GIT_FAILED', { verb: 'checkout-index', reason })
}

function utf8(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export async function readOnlyCheckout(context: GitContext, pool: Pool, tree: TreeId): Promise<ReadOnlyCheckout> {
  const slot = await slotWith(context, pool, tree, [])
  return {
    folder: slot.folder,
    giveBack: async () => {
      try {
        // Changes are compared with this.
        await preparePlace(context, slot, await commitOf(context, tree, []))
        return await changedIn(context, slot)
      } finally {
        pool.giveBack(slot)
      }
    },
  }
}

async function slotWith(context: GitContext, pool: Pool, tree: TreeId, keep: readonly string[]): Promise<Slot> {
  const slot = await takeAny(pool, context, tree)
  try {
    await preparePlace(context, slot, 'ref: refs/heads/none')
    await syncPlace(context, slot, tree, new Set(keep.map((path) => Buffer.from(path, 'utf8').toString('latin1'))))
    await copyIn(context, slot)
    await makeAgentGitDir(context, slot, plainCommit(tree, []))
    return slot
  } catch (error) {
    pool.giveBack(slot)
    throw error
  }
}

async function changedIn(context: GitContext, slot: Slot): Promise<string[]> {
  if (!(await isFolder(slot.folder))) return ['the folder itself']
  const { modified, deleted, untracked, unreadable } = await findChanges(context, slot)
  const isOurs = neverTaken(context.copy)
  return [...modified, ...deleted, ...untracked, ...unreadable].filter((path) => !isOurs(path)).map(utf8)
}
