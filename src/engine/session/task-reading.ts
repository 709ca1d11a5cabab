// What people and sessions can see of the tasks.
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import type { RequestHandlers } from '../../core/request/session-request.ts'
import type { Task } from '../../core/task/task.ts'
import type { Scope, Store } from '../../store/store.ts'

export interface TaskView {
  readonly store: Pick<Store, 'tasks'>
  readonly scope: Scope
}

export function readingAnswers(view: TaskView): Pick<RequestHandlers, 'peek' | 'show' | 'list' | 'planStatus'> {
  const { store, scope } = view
  return {
    peek: ({ limit }) => peekTasks(view, limit),
    show: async ({ id }) => {
      const task = await showTask(view, id)
      return { task, blockers: await blockersOf(view, task) }
    },
    list: ({ statuses, assignee }) =>
      store.tasks.list(scope, {
        ...(statuses === null ? {} : { statuses }),
        ...(assignee === null ? {} : { assignee }),
      }),
    planStatus: () => store.tasks.counts(scope),
  }
}

/** The claimable tasks, best first, then all that are being worked on. */
export async function peekTasks({ store, scope }: TaskView, limit: number): Promise<Task[]> {
  const claimable = await store.tasks.claimable(scope, limit)
  const active = await store.tasks.list(scope, { statuses: ['active'] })
  const shown = new Set(claimable.map((task) => task.id))
  return [...claimable.map(asFree), ...active.filter((task) => !shown.has(task.id))]
}

/** The status tells a reader what can be claimed, so an expired lease does not count. */
function asFree(task: Task): Task {
  return { ...task, status: 'open', assignee: null, leaseExpiresAt: null }
}

export async function showTask({ store, scope }: TaskView, id: TaskId): Promise<Task> {
  const task = await store.tasks.find(scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  return task
}

/** The tasks that a task waits for, in the task's own order. */
export async function blockersOf({ store, scope }: TaskView, task: Task): Promise<Task[]> {
  if (task.deps.length === 0) return []
  const found = new Map((await store.tasks.list(scope, { ids: task.deps })).map((blocker) => [blocker.id, blocker]))
  return task.deps.flatMap((id) => found.get(id) ?? [])
}
