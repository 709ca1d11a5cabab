// A folder for a task, with the right content in it.
import { refuse } from '../../../core/error/error.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import type { Workspace } from '../../workspace.ts'
import { makeAgentGitDir } from '../folder/agent-git-dir.ts'
import { headOf } from '../repository/branch.ts'
import { copyIn } from '../folder/copied-files.ts'
import { isFolder } from '../files/files.ts'
import type { Ground } from '../repository/git-context.ts'
import { type WhoseFolder, findFolder, takeFolder, workspaceOf } from '../folder/folder-owners.ts'
import { pinnedBase } from '../repository/pins.ts'
import { type Holder, type Pool, type Slot, type SlotRecord, takeAny } from '../folder/folder-place.ts'
import { salvage } from './rescue-unharvested.ts'
import { preparePlace, syncPlace } from '../folder/sync.ts'

export interface Wanted extends WhoseFolder {
  readonly start: TreeId | null
  readonly mode: 'keep' | 'fresh'
}

/** What a folder is to hold, and the commit that this stands on. */
export interface Content {
  readonly tree: TreeId
  readonly base: CommitId
}

export async function acquire(ground: Ground, pool: Pool, wanted: Wanted): Promise<Workspace> {
  const held = await takeFolder(ground, pool, wanted)
  if (held !== null && wanted.mode === 'keep' && held.record.whole && (await isFolder(held.slot.folder))) {
    ground.memory.harvested.delete(held.slot.folder)
    return workspaceOf(held.slot, held.holder)
  }
  const { tree, base } = await contentFor(ground, pool, wanted)
  const holder = { build: wanted.build, task: wanted.task, base }
  if (held !== null) {
    await salvage(ground, held)
    return refill(ground, pool, held.slot, holder, tree)
  }
  // Until it is whole it is no task's: whoever comes after a crash makes it anew.
  const slot = await takeAny(pool, ground, tree)
  try {
    return await fill(ground, pool, slot, beingMade(ground, holder, tree), holder)
  } catch (error) {
    pool.giveBack(slot)
    throw error
  }
}

/** Says first what the folder will be, so that a crash in the middle leaves a folder that is known to be half made. */
export async function refill(ground: Ground, pool: Pool, slot: Slot, holder: Holder, tree: TreeId): Promise<Workspace> {
  const record = beingMade(ground, holder, tree)
  await pool.write(slot, record)
  return fill(ground, pool, slot, record, holder)
}

async function fill(ground: Ground, pool: Pool, slot: Slot, record: BeingMade, holder: Holder): Promise<Workspace> {
  await preparePlace(ground, slot, holder.base)
  await syncPlace(ground, slot, record.tree, 'ignored')
  await copyIn(ground, slot)
  await makeAgentGitDir(ground, slot, holder.base)
  await pool.write(slot, { ...record, whole: true })
  ground.memory.harvested.delete(slot.folder)
  ground.memory.agentCommits.delete(slot.folder)
  ground.memory.taken.delete(slot.gitDir)
  return workspaceOf(slot, holder)
}

type BeingMade = SlotRecord & { readonly tree: TreeId }

function beingMade({ now }: Ground, holder: Holder, tree: TreeId): BeingMade {
  return { holder, tree, whole: false, at: now() }
}

async function contentFor(ground: Ground, pool: Pool, wanted: Wanted): Promise<Content> {
  const { build, start } = wanted
  if (start !== null) return { tree: start, base: await baseOf(ground, pool, wanted, start) }
  const head = await headOf(ground, build)
  return { tree: head.tree, base: head.commit }
}

/**
 * The commit that a tree of this task stands on. Never guessed: on a later one, the tree would undo what was merged
 * between the two.
 */
export async function baseOf(ground: Ground, pool: Pool, whose: WhoseFolder, tree: TreeId): Promise<CommitId> {
  const head = await headOf(ground, whose.build)
  if (tree === head.tree) return head.commit
  const base = (await pinnedBase(ground, whose.build, whose.task, tree)) ?? (await findFolder(pool, whose))?.base
  if (base === undefined) throw refuse('TREE_UNKNOWN', { tree, id: whose.task })
  return base
}
