import { markFailed, outsideWord, type Task } from '../../core/task/task.ts'
import type { Loop } from '../deps.ts'

/** The plugin's SessionEnd hook says the same; it may come first or not at all. */
export const EXITED = 'session exited without completing task'

/**
 * Fails what this loop's agent still holds when none of its sessions runs. The engine verifies tasks that are reported
 * done instead of failing them.
 */
export async function failUnfinished({ engine, agentId }: Loop): Promise<void> {
  const mine = { statuses: ['active'], assignee: agentId } as const
  const left = await engine.store.tasks.list(engine.scope, mine)
  if (!left.some(isUnfinished)) return
  await engine.store.tasks.changeAll(engine.scope, mine, (task, now) =>
    isUnfinished(task) ? markFailed(task, agentId, EXITED, now) : task,
  )
}

function isUnfinished(task: Task): boolean {
  return outsideWord(task) === null
}
