// What an agent that chooses its task could do. The loop only reads, and claims nothing.
import type { Instant } from '../../core/values/id.ts'
import { renderTasks } from '../../core/task/markdown-kv.ts'
import type { Task } from '../../core/task/task.ts'
import { peekTasks } from '../session/task-reading.ts'
import type { Loop } from '../deps.ts'
import type { Stop } from '../stop.ts'

/** How many claimable tasks an agent sees. */
export const SNAPSHOT_TASKS_MAX = 10

export type Outlook = {
  readonly claimable: readonly Task[]
  readonly active: readonly Task[]
} & (
  | { readonly is: 'work'; readonly snapshot: string }
  /** Only others work; `until`: when the first of their leases ends. */
  | { readonly is: 'others'; readonly until: Instant }
  | { readonly is: 'over'; readonly stop: Stop }
)

export async function lookAhead({ engine }: Pick<Loop, 'engine'>): Promise<Outlook> {
  const tasks = await peekTasks(engine, SNAPSHOT_TASKS_MAX)
  const claimable = tasks.filter(({ status }) => status === 'open')
  const active = tasks.filter(({ status }) => status === 'active')
  const seen = { claimable, active }
  if (claimable.length > 0) return { ...seen, is: 'work', snapshot: renderTasks(tasks).trimEnd() }
  if (active.length > 0)
    return { ...seen, is: 'others', until: Math.min(...active.map((task) => task.leaseExpiresAt ?? 0)) }
  const left = await engine.store.tasks.list(engine.scope, { statuses: ['open', 'active', 'waiting'] })
  // Another loop may have finished what they waited for since we looked.
  if (left.some((task) => isReady(task, left))) return { ...seen, is: 'others', until: 0 }
  return { ...seen, is: 'over', stop: left.length === 0 ? { reason: 'AllTasksComplete' } : nothingToClaim(left) }
}

function isReady(task: Task, unsettled: readonly Task[]): boolean {
  return task.status === 'active' || (task.status === 'open' && !unsettled.some(({ id }) => task.deps.includes(id)))
}

/** Everything that is left waits for a human, or for a task that waits for one. */
function nothingToClaim(left: readonly Task[]): Stop {
  const waiting = left.filter(({ status }) => status === 'waiting').map(({ id }) => id)
  const detail = `No task is left that an agent could claim: ${waiting.join(', ')} wait${waiting.length === 1 ? 's' : ''} for you; answer, then 'ralph build' goes on.`
  return { reason: 'Paused', detail, asks: true }
}
