// Agents' folders: given to a task, read, and given back.
import type { Harvest, Workspace, Workspaces, AttemptMark } from '../workspace.ts'
import { acquire, baseOf, refill } from './acquire.ts'
import { takeAgentCommits } from './agent-commits.ts'
import { isFolder } from './files.ts'
import type { Ground } from './ground.ts'
import { gather, indexTree, reasonOf } from './harvest.ts'
import { findFolder, requireFolder, takeFolder } from './holdings.ts'
import { pin } from './pins.ts'
import type { Pool } from './pool.ts'
import { salvage } from './salvage.ts'

type Folders = Pick<Workspaces, 'acquire' | 'find' | 'release' | 'harvest' | 'rebase' | 'baseOf'>

export function agentFolders(ground: Ground, pool: Pool): Folders {
  return {
    acquire: (build, task, start, mode) => acquire(ground, pool, { build, task, start, mode }),
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
        await salvage(ground, held)
        const tree = ground.memory.indexes.get(held.slot.gitDir) ?? null
        await pool.write(held.slot, { holder: null, tree, whole: true, at: ground.now() })
        pool.giveBack(held.slot)
        held = await takeFolder(ground, pool, workspace)
      }
    },
  }
}

async function harvest(ground: Ground, pool: Pool, workspace: Workspace, mark: AttemptMark): Promise<Harvest> {
  const { slot, holder } = await requireFolder(ground, pool, workspace)
  if (!(await isFolder(slot.folder))) {
    await refill(ground, pool, slot, holder, await indexTree(ground, slot))
    return { taken: false, reason: LOST }
  }
  const { tree, problems } = await gather(ground, slot, 'all')
  if (tree === null) return { taken: false, reason: reasonOf(problems) }
  const agentCommits = await takeAgentCommits(ground, slot.folder, holder.base)
  await pin(ground, mark, { tree, base: holder.base, agentCommits })
  ground.memory.harvested.add(slot.folder)
  return { taken: true, tree }
}

const LOST =
  'the folder itself was deleted or replaced, and has been made again as it was last taken; work inside it and leave it in its place'
