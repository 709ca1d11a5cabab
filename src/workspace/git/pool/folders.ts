// Agents' folders: acquired for a task, harvested, and released.
import type { TreeId } from '../../../core/values/id.ts'
import type { AgentFolders, AttemptMark, Harvest, Pin, Workspace } from '../../workspace.ts'
import { acquire, baseOf, refill } from './acquire.ts'
import { takeAgentCommits } from '../harvest/agent-commits.ts'
import { isFolder } from '../../../system/files.ts'
import { giveBackFolder } from './give-back.ts'
import { treeOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { handOver } from './hand-over.ts'
import { gather, indexTree, reasonOf } from '../harvest/harvest.ts'
import { type HeldFolder, findFolder, requireFolder, takeFolder } from '../agent-folder/folder-owners.ts'
import { listPins, pin } from '../repository/pins.ts'
import type { Pool } from '../agent-folder/folder-place.ts'
import { rescueUnharvested } from './rescue-unharvested.ts'

type Folders = Omit<AgentFolders, 'adopt'>

export function agentFolders(context: GitContext, pool: Pool): Folders {
  return {
    acquire: (build, task, start, mode) => acquire(context, pool, { build, task, start, mode }),
    handOver: (workspace, task, start, mode) => handOver(context, pool, workspace, { task, start, mode }),
    find: (build, task) => findFolder(pool, { build, task }),
    baseOf: (build, task, tree) => baseOf(context, pool, { build, task }, tree),
    harvest: (workspace, mark) => harvest(context, pool, workspace, mark),
    rebase: async (workspace, base, tree) => {
      const held = await requireFolder(context, pool, workspace)
      await rescueUnharvested(context, held)
      return refill(context, pool, held.slot, { ...held.holder, base }, tree)
    },
    release: async (workspace) => {
      // There are several where a process that lost its lease died with the older folder.
      for (let held = await takeFolder(context, pool, workspace); held !== null;) {
        await giveBackFolder(context, pool, held)
        held = await takeFolder(context, pool, workspace)
      }
    },
  }
}

async function harvest(context: GitContext, pool: Pool, workspace: Workspace, mark: AttemptMark): Promise<Harvest> {
  const held = await requireFolder(context, pool, workspace)
  const { slot, holder } = held
  if (!(await isFolder(slot.folder))) {
    await refill(context, pool, slot, holder, await lastTaken(context, held))
    return { taken: false, reason: LOST }
  }
  const { tree, problems, written } = await gather(context, slot, 'all')
  if (tree === null) return { taken: false, reason: reasonOf(problems) }
  const agentCommits = await takeAgentCommits(context, slot.folder, holder.base)
  await pin(context, mark, { tree, base: holder.base, agentCommits, written: written ?? Promise.resolve() })
  context.harvests.record(slot.folder, { tree, isPinned: true })
  return { taken: true, tree }
}

/** The last harvest since the folder was made for its task; without one, its start tree. */
async function lastTaken(context: GitContext, { slot, holder, record }: HeldFolder): Promise<TreeId> {
  const known = context.harvests.of(slot.folder).tree
  if (known !== undefined) return known
  const madeAt = Math.floor(record.at / 1000) * 1000
  const isItsOwn = ({ build, task, at }: Pin) => build === holder.build && task === holder.task && at >= madeAt
  const pinned = (await listPins(context)).find(isItsOwn)
  return pinned === undefined ? indexTree(context, slot) : treeOf(context, pinned.commit)
}

const LOST =
  'the folder itself was deleted or replaced, and has been made again as it was last taken; work inside it and leave it in its place'
