import type { CommitId } from '../core/id.ts'
import type { Job } from './shop.ts'

/** The commit that a task's work stands on; without a folder of its own, where the branch stands. */
export async function baseOf({ shop, build, task }: Job): Promise<CommitId> {
  const workspace = await shop.workspaces.find(build, task.id)
  return workspace?.base ?? (await shop.workspaces.head(build)).commit
}
