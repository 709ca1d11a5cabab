// What a session that chooses its task would see, without starting anything.
import type { Instant, TaskId } from '../../core/values/id.ts'
import { renderTasks } from '../../core/task/markdown-kv.ts'
import { blockers } from '../../core/plan/plan.ts'
import { isFree, type Task } from '../../core/task/task.ts'
import { SNAPSHOT_TASKS_MAX } from '../../engine/claim/claimable-tasks.ts'
import type { EngineDeps } from '../../engine/deps.ts'

export interface Offer {
  /** The claimable tasks, best first; at most as many as a session sees. */
  readonly tasks: readonly TaskId[]
  readonly prompt: string
}

export async function offerOf(
  { prompts }: Pick<EngineDeps, 'prompts'>,
  tasks: readonly Task[],
  now: Instant,
): Promise<Offer> {
  const statuses = new Map(tasks.map((task) => [task.id, task.status]))
  const isReady = (task: Task): boolean =>
    isFree(task, now) && blockers(task, (id) => statuses.get(id) ?? 'deleted') === 'finished'
  const claimable = tasks.filter(isReady).slice(0, SNAPSHOT_TASKS_MAX)
  const active = tasks.filter((task) => task.status === 'active' && !isReady(task))
  const shown = [...claimable.map((task): Task => ({ ...task, status: 'open' })), ...active]
  const snapshot = renderTasks(shown).trimEnd()
  return { tasks: claimable.map(({ id }) => id), prompt: await prompts.fill('claim', { snapshot }) }
}
