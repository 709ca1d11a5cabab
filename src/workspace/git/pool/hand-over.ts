// Gives a folder to another task while an agent works in it: the agent started without a task and has chosen one.
import type { Workspace } from '../../workspace.ts'
import { baseOf, type Content, refill, type AcquireOptions } from './acquire.ts'
import { giveBackFolder } from './give-back.ts'
import type { GitContext } from '../repository/git-context.ts'
import { gather } from '../harvest/harvest.ts'
import {
  type HeldFolder,
  requireFolder,
  takeFolder,
  type WhoseFolder,
  workspaceOf,
} from '../agent-folder/folder-owners.ts'
import type { Pool } from '../agent-folder/folder-place.ts'
import { rescueUnharvested } from './rescue-unharvested.ts'

export async function handOver(
  context: GitContext,
  pool: Pool,
  workspace: Workspace,
  wanted: Pick<AcquireOptions, 'task' | 'start' | 'mode'>,
): Promise<Workspace> {
  const held = await requireFolder(context, pool, workspace)
  const whose = { build: workspace.build, task: wanted.task }
  const before = await takeFolder(context, pool, whose)
  const left = before === null || wanted.mode === 'fresh' ? null : await leftIn(context, before)
  const { start } = wanted
  const content = left ?? (start === null ? null : { tree: start, base: await baseOf(context, pool, whose, start) })
  const handed = await (content === null
    ? keepContent(context, pool, held, whose)
    : replaceContent(context, pool, held, whose, content))
  // Not earlier: only the old folder may know the base of the task's work.
  if (before !== null) await giveBackFolder(context, pool, before)
  return handed
}

async function replaceContent(
  context: GitContext,
  pool: Pool,
  held: HeldFolder,
  whose: WhoseFolder,
  { tree, base }: Content,
): Promise<Workspace> {
  await rescueUnharvested(context, held)
  return refill(context, pool, held.slot, { ...whose, base }, tree)
}

/** The work starts at the present content of the folder. */
async function keepContent(
  context: GitContext,
  pool: Pool,
  { slot, record, holder }: HeldFolder,
  whose: WhoseFolder,
): Promise<Workspace> {
  const its = { ...whose, base: holder.base }
  await pool.write(slot, { ...record, holder: its, at: context.now() })
  return workspaceOf(slot, its)
}

/** What a killed session left in its folder; null where that is gone. */
async function leftIn(context: GitContext, { slot, holder, record }: HeldFolder): Promise<Content | null> {
  if (!record.whole) return null
  const { tree, written } = await gather(context, slot, 'rest')
  await written
  return tree === null ? null : { tree, base: holder.base }
}
