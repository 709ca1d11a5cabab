import { markFailed, outsideWord, type Task } from '../../core/task/task.ts'
import type { Loop } from '../deps.ts'

/** Also what the plugin's SessionEnd hook says, which may come first or not at all. */
export const EXITED = 'session exited without completing task'

/** Whatever this loop's agent still holds when no session of it runs. What it said to be done is looked at, not failed. */
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
