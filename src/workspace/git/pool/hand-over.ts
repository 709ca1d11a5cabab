// A folder changes hands while an agent works in it: the agent was started without a task, and has chosen one.
import type { Workspace } from '../../workspace.ts'
import { baseOf, type Content, refill, type Wanted } from './acquire.ts'
import { giveBackFolder } from './give-back.ts'
import type { Ground } from '../repository/git-context.ts'
import { gather } from '../harvest/harvest.ts'
import { type Held, requireFolder, takeFolder, type WhoseFolder, workspaceOf } from '../folder/folder-owners.ts'
import type { Pool } from '../folder/folder-place.ts'
import { salvage } from './rescue-unharvested.ts'

export async function handOver(
  ground: Ground,
  pool: Pool,
  workspace: Workspace,
  wanted: Pick<Wanted, 'task' | 'start' | 'mode'>,
): Promise<Workspace> {
  const held = await requireFolder(ground, pool, workspace)
  const whose = { build: workspace.build, task: wanted.task }
  const before = await takeFolder(ground, pool, whose)
  const left = before === null || wanted.mode === 'fresh' ? null : await leftIn(ground, before)
  const { start } = wanted
  const content = left ?? (start === null ? null : { tree: start, base: await baseOf(ground, pool, whose, start) })
  const handed = await (content === null
    ? keepContent(ground, pool, held, whose)
    : replaceContent(ground, pool, held, whose, content))
  // Only now: until then, what the task stands on may be known by its old folder alone.
  if (before !== null) await giveBackFolder(ground, pool, before)
  return handed
}

async function replaceContent(
  ground: Ground,
  pool: Pool,
  held: Held,
  whose: WhoseFolder,
  { tree, base }: Content,
): Promise<Workspace> {
  await salvage(ground, held)
  return refill(ground, pool, held.slot, { ...whose, base }, tree)
}

/** The work starts where the folder stands. */
async function keepContent(
  ground: Ground,
  pool: Pool,
  { slot, record, holder }: Held,
  whose: WhoseFolder,
): Promise<Workspace> {
  const its = { ...whose, base: holder.base }
  await pool.write(slot, { ...record, holder: its, at: ground.now() })
  return workspaceOf(slot, its)
}

/** What a session that was killed left in the folder it had; null where that is gone. */
async function leftIn(ground: Ground, { slot, holder, record }: Held): Promise<Content | null> {
  if (!record.whole) return null
  const { tree, written } = await gather(ground, slot, 'rest')
  await written
  return tree === null ? null : { tree, base: holder.base }
}
