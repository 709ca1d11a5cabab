// Gives a task a folder with the right content.
import { refuse } from '../../../core/error/error.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import type { Workspace } from '../../workspace.ts'
import { makeAgentGitDir } from '../agent-folder/agent-git-dir.ts'
import { headOf } from '../repository/branch.ts'
import { copyIn } from '../agent-folder/copied-files.ts'
import { isFolder } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { type WhoseFolder, findFolder, takeFolder, workspaceOf } from '../agent-folder/folder-owners.ts'
import { pinnedBase } from '../repository/pins.ts'
import { type Holder, type Pool, type Slot, type SlotRecord, takeAny } from '../agent-folder/folder-place.ts'
import { rescueUnharvested } from './rescue-unharvested.ts'
import { preparePlace, syncPlace } from '../agent-folder/sync.ts'

export interface AcquireOptions extends WhoseFolder {
  readonly start: TreeId | null
  readonly mode: 'keep' | 'fresh'
}

/** The content of a folder, and the commit that it is based on. */
export interface Content {
  readonly tree: TreeId
  readonly base: CommitId
}

export async function acquire(context: GitContext, pool: Pool, wanted: AcquireOptions): Promise<Workspace> {
  const held = await takeFolder(context, pool, wanted)
  if (held !== null && wanted.mode === 'keep' && held.record.whole && (await isFolder(held.slot.folder))) {
    context.harvests.record(held.slot.folder, { isPinned: false })
    return workspaceOf(held.slot, held.holder)
  }
  const { tree, base } = await contentFor(context, pool, wanted)
  const holder = { build: wanted.build, task: wanted.task, base }
  if (held !== null) {
    await rescueUnharvested(context, held)
    return refill(context, pool, held.slot, holder, tree)
  }
  // No task owns the folder until it is whole: after a crash it is made anew.
  const slot = await takeAny(pool, context, tree)
  try {
    return await fill(context, pool, slot, beingMade(context, holder, tree), holder)
  } catch (error) {
    pool.giveBack(slot)
    throw error
  }
}

/** Records the new content first, so a crash in the middle leaves a folder that is known to be half made. */
export async function refill(
  context: GitContext,
  pool: Pool,
  slot: Slot,
  holder: Holder,
  tree: TreeId,
): Promise<Workspace> {
  const record = beingMade(context, holder, tree)
  await pool.write(slot, record)
  return fill(context, pool, slot, record, holder)
}

async function fill(
  context: GitContext,
  pool: Pool,
  slot: Slot,
  record: UnfinishedRecord,
  holder: Holder,
): Promise<Workspace> {
  await preparePlace(context, slot, holder.base)
  await syncPlace(context, slot, record.tree, 'ignored')
  await copyIn(context, slot)
  await makeAgentGitDir(context, slot, holder.base)
  await pool.write(slot, { ...record, whole: true })
  context.harvests.forget(slot.folder)
  return workspaceOf(slot, holder)
}

type UnfinishedRecord = SlotRecord & { readonly tree: TreeId }

function beingMade({ now }: GitContext, holder: Holder, tree: TreeId): UnfinishedRecord {
  return { holder, tree, whole: false, at: now() }
}

async function contentFor(context: GitContext, pool: Pool, wanted: AcquireOptions): Promise<Content> {
  const { build, start } = wanted
  if (start !== null) return { tree: start, base: await baseOf(context, pool, wanted, start) }
  const head = await headOf(context, build)
  return { tree: head.tree, base: head.commit }
}

/**
 * The commit that a tree of this task is based on. It is never a guess: on a later commit, the tree would undo what was
 * merged between the two.
 */
export async function baseOf(context: GitContext, pool: Pool, whose: WhoseFolder, tree: TreeId): Promise<CommitId> {
  const head = await headOf(context, whose.build)
  if (tree === head.tree) return head.commit
  const base = (await pinnedBase(context, whose.build, whose.task, tree)) ?? (await findFolder(pool, whose))?.base
  if (base === undefined) throw refuse('TREE_UNKNOWN', { tree, id: whose.task })
  return base
}
