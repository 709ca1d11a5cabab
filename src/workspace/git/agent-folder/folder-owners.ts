// Which task owns which folder.
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, TaskId } from '../../../core/values/id.ts'
import type { Workspace } from '../../workspace.ts'
import type { GitContext } from '../repository/git-context.ts'
import type { Entry, Holder, Pool, Slot, SlotRecord } from './folder-place.ts'

/** A folder that a task owns and that this process may use. */
export interface HeldFolder {
  readonly slot: Slot
  readonly record: SlotRecord
  readonly holder: Holder
}

export interface WhoseFolder {
  readonly build: BuildId
  readonly task: TaskId
}

/** Newest first. There are several where a process lost its lease and still lives with the old folder. */
async function entriesOf(pool: Pool, { build, task }: WhoseFolder): Promise<Entry[]> {
  const entries = await pool.list()
  return entries
    .filter(({ record }) => record?.holder?.build === build && record.holder.task === task)
    .sort((one, other) => (other.record?.at ?? 0) - (one.record?.at ?? 0))
}

export async function findFolder(pool: Pool, whose: WhoseFolder): Promise<Workspace | null> {
  const held = heldIn((await entriesOf(pool, whose))[0])
  return held === null ? null : workspaceOf(held.slot, held.holder)
}

/** Null where the task has no folder, or a living process has it. */
export async function takeFolder(
  { owners, indexes, harvests }: GitContext,
  pool: Pool,
  whose: WhoseFolder,
): Promise<HeldFolder | null> {
  for (const entry of await entriesOf(pool, whose)) {
    const held = heldIn(entry)
    if (held === null || entry.owner === owners.token) return held
    if (entry.owner !== null && (await owners.isAlive(entry.owner))) continue
    if (!(await pool.take(entry))) continue
    // The dead process may have changed the folder since this one last knew it.
    indexes.forget(held.slot)
    harvests.forget(held.slot.folder)
    return held
  }
  return null
}

export async function requireFolder(context: GitContext, pool: Pool, workspace: Workspace): Promise<HeldFolder> {
  const held = await takeFolder(context, pool, workspace)
  if (held === null) throw refuse('WORKSPACE_BUSY', { id: workspace.task })
  return held
}

function heldIn(entry: Entry | undefined): HeldFolder | null {
  const holder = entry?.record?.holder
  return entry === undefined || entry.record === null || holder == null
    ? null
    : { slot: entry.slot, record: entry.record, holder }
}

export function workspaceOf({ folder }: Slot, { build, task, base }: Holder): Workspace {
  return { folder, build, task, base }
}
