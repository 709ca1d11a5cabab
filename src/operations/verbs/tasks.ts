// Writing tasks, and taking them, as the task commands do.
import { agentId, taskId } from '../../core/values/id.ts'
import { refuse } from '../../core/error/error.ts'
import type { Task, TaskText } from '../../core/task/task.ts'
import { peekTasks } from '../../engine/session/task-reading.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { WireTaskRow } from '../contract/lists.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import {
  blockTask,
  claimTask,
  completeTask,
  createTask,
  failTask,
  renewTask,
  unblockTask,
  updateTask,
} from '../tasks/tasks.ts'
import type { Verbs } from './verbs.ts'

/** What has no place in the contract is left out on the way. */
export function wireTask(task: Task, repository: string): WireTaskRow {
  const { deps, steps, acceptance, filesExpected } = task
  return {
    ...task,
    repository,
    deps: [...deps],
    steps: [...steps],
    acceptance: [...acceptance],
    filesExpected: [...filesExpected],
  }
}

export function taskVerbs({ context, name: repository }: ServedRepository) {
  const wire = (task: Task): WireTaskRow => wireTask(task, repository)
  const holder = (agent: string | undefined) => (agent === undefined ? null : agentId(agent))
  return {
    addTask: async ({ body: { id, title, deps, repository: _, ...rest } }) => {
      if (title.trim() === '') throw refuse('TASK_TITLE_MISSING')
      return wire(await createTask(context, taskId(id), { ...given(rest), title }, deps.map(taskId)))
    },
    updateTask: async ({ params, body: { status, agent, repository: _, ...rest } }) => {
      const text = given(rest)
      if (Object.keys(text).length === 0 && status === undefined)
        throw refuse('INPUT_BAD', { problem: 'body: no fields to update; give at least one' })
      const move = status === undefined ? null : { to: status, agent: holder(agent) }
      return wire(await updateTask(context, taskId(params.id), text, move))
    },
    blockTask: async ({ params, body }) => {
      await blockTask(context, taskId(params.id), taskId(body.by))
      return wire(await requireTask(context, params.id))
    },
    unblockTask: async ({ params, body }) => {
      await unblockTask(context, taskId(params.id), taskId(body.by))
      return wire(await requireTask(context, params.id))
    },
    claimable: async ({ query: { limit } }) => ({ tasks: (await peekTasks(context, limit)).map(wire) }),
    claimTask: async ({ body: { agent, task_id: id, leaseSeconds } }) => {
      const which = id === undefined ? {} : { id: taskId(id) }
      const { task, blockerResults } = await claimTask(context, { ...which, agent: agentId(agent), leaseSeconds })
      const results = blockerResults.map((one) => ({
        id: one.id,
        result: { ...one.result, commit: String(one.result.commit) },
      }))
      return { task: wire(task), blockerResults: results }
    },
    renewTask: async ({ params, body: { agent, leaseSeconds } }) =>
      wire(await renewTask(context, taskId(params.id), agentId(agent), leaseSeconds)),
    doneTask: async ({ params, body: { agent, result = null } }) =>
      wire(await completeTask(context, taskId(params.id), holder(agent), result)),
    failTask: async ({ params, body: { agent, reason = null } }) =>
      wire(await failTask(context, taskId(params.id), holder(agent), reason)),
  } satisfies Partial<Verbs>
}

export async function requireTask({ store, scope }: BuildContext, named: string): Promise<Task> {
  const id = taskId(named)
  const task = await store.tasks.find(scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  return task
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without what was left out. */
function given<Fields extends Partial<Record<keyof TaskText, unknown>>>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
}
