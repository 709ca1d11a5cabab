// Agents' folders: given to a task, read, and given back.
import type { TreeId } from '../../../core/values/id.ts'
import type { AttemptMark, Harvest, Pin, Workspace, Workspaces } from '../../workspace.ts'
import { acquire, baseOf, refill } from './acquire.ts'
import { takeAgentCommits } from '../harvest/agent-commits.ts'
import { isFolder } from '../files/files.ts'
import { giveBackFolder } from './give-back.ts'
import { type Ground, treeOf } from '../repository/git-context.ts'
import { handOver } from './hand-over.ts'
import { gather, indexTree, reasonOf } from '../harvest/harvest.ts'
import { type Held, findFolder, requireFolder, takeFolder } from '../folder/folder-owners.ts'
import { listPins, pin } from '../repository/pins.ts'
import type { Pool } from '../folder/folder-place.ts'
import { salvage } from './rescue-unharvested.ts'

type Folders = Pick<Workspaces, 'acquire' | 'handOver' | 'find' | 'release' | 'harvest' | 'rebase' | 'baseOf'>

export function agentFolders(ground: Ground, pool: Pool): Folders {
  return {
    acquire: (build, task, start, mode) => acquire(ground, pool, { build, task, start, mode }),
    handOver: (workspace, task, start, mode) => handOver(ground, pool, workspace, { task, start, mode }),
    find: (build, task) => findFolder(pool, { build, task }),
    baseOf: (build, task, tree) => baseOf(ground, pool, { build, task }, tree),
    harvest: (workspace, mark) => harvest(ground, pool, workspace, mark),
    rebase: async (workspace, base, tree) => {
      const held = await requireFolder(ground, pool, workspace)
      await salvage(ground, held)
      return refill(ground, pool, held.slot, { ...held.holder, base }, tree)
    },
    release: async (workspace) => {
      // More than one where a process that lost its lease died with the older one.
      for (let held = await takeFolder(ground, pool, workspace); held !== null;) {
        await giveBackFolder(ground, pool, held)
        held = await takeFolder(ground, pool, workspace)
      }
    },
  }
}

async function harvest(ground: Ground, pool: Pool, workspace: Workspace, mark: AttemptMark): Promise<Harvest> {
  const held = await requireFolder(ground, pool, workspace)
  const { slot, holder } = held
  if (!(await isFolder(slot.folder))) {
    await refill(ground, pool, slot, holder, await lastTaken(ground, held))
    return { taken: false, reason: LOST }
  }
  const { tree, problems, written } = await gather(ground, slot, 'all')
  if (tree === null) return { taken: false, reason: reasonOf(problems) }
  const agentCommits = await takeAgentCommits(ground, slot.folder, holder.base)
  await pin(ground, mark, { tree, base: holder.base, agentCommits, written: written ?? Promise.resolve() })
  ground.memory.harvested.add(slot.folder)
  ground.memory.taken.set(slot.gitDir, tree)
  return { taken: true, tree }
}

/** Since the folder was made for its task; without a harvest since, what it was made to hold. */
async function lastTaken(ground: Ground, { slot, holder, record }: Held): Promise<TreeId> {
  const known = ground.memory.taken.get(slot.gitDir)
  if (known !== undefined) return known
  const madeAt = Math.floor(record.at / 1000) * 1000
  const isItsOwn = ({ build, task, at }: Pin) => build === holder.build && task === holder.task && at >= madeAt
  const pinned = (await listPins(ground)).find(isItsOwn)
  return pinned === undefined ? indexTree(ground, slot) : treeOf(ground, pinned.commit)
}

const LOST =
  'the folder itself was deleted or replaced, and has been made again as it was last taken; work inside it and leave it in its place'
