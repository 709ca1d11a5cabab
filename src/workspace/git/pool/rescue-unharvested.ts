// Before a folder's content goes, unharvested work in it is pinned as attempt 0 of its task.
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { takeAgentCommits } from '../harvest/agent-commits.ts'
import { isFolder } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { gather } from '../harvest/harvest.ts'
import type { HeldFolder } from '../agent-folder/folder-owners.ts'
import { encodeId } from '../repository/layout.ts'
import { pin, pinnedBase } from '../repository/pins.ts'

export const ASIDE = 'aside'

export async function rescueUnharvested(context: GitContext, { slot, record, holder }: HeldFolder): Promise<void> {
  if (context.harvests.of(slot.folder).isPinned === true || !record.whole || !(await isFolder(slot.folder))) return
  const { tree, problems, written } = await gather(context, slot, 'rest')
  await written
  const agentCommits = await takeAgentCommits(context, slot.folder, holder.base)
  const isNews = tree !== null && (agentCommits.length > 0 || !(await isKnown(context, holder, tree, record.tree)))
  if (isNews) {
    const mark = { build: holder.build, task: holder.task, attempt: 0, iteration: context.now() }
    await pin(context, mark, { tree, base: holder.base, agentCommits })
  }
  if (problems.length > 0) await setAside(context, slot.folder, holder)
}

async function isKnown(
  context: GitContext,
  { build, task }: HeldFolder['holder'],
  tree: NonNullable<HeldFolder['record']['tree']>,
  start: HeldFolder['record']['tree'],
): Promise<boolean> {
  return tree === start || (await pinnedBase(context, build, task, tree)) !== null
}

/** Moves the folder away where git cannot take all of it. */
async function setAside({ now }: GitContext, folder: string, { build, task }: HeldFolder['holder']): Promise<void> {
  const aside = join(dirname(folder), ASIDE, encodeId(build), `${encodeId(task)}.${now()}`)
  await mkdir(dirname(aside), { recursive: true })
  await rename(folder, aside)
}
