// Reading, writing and taking tasks over HTTP, as the task commands do.
import { loadConfig } from '../../config/settings/load.ts'
import { agentId, taskId } from '../../core/values/id.ts'
import { refuse } from '../../core/error/error.ts'
import type { RequestName, SessionRequest } from '../../core/request/session-request.ts'
import { claimOf } from '../../core/task/claim.ts'
import { isReported } from '../../core/task/reported.ts'
import type { Task, TaskText } from '../../core/task/task.ts'
import type { WireTaskRow } from '../contract/lists.ts'
import type { RouteName } from '../contract/contract.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { sealedOfTask, wireSealed } from '../read/sealed-examples.ts'
import { answerFromStore, blockTask, type Speaker, unblockTask, updateTask } from '../tasks/tasks.ts'
import type { Verbs } from './verbs.ts'

type Routed<Table extends Record<RequestName, RouteName | null>> = Table

/** The route that carries each request of a session; null: no program but a session makes it. */
type RouteOfRequest = Routed<{
  peek: 'claimable'
  claim: 'claimTask'
  renew: 'renewTask'
  done: 'doneTask'
  fail: 'failTask'
  create: 'addTask'
  show: 'task'
  list: 'tasks'
  planStatus: null
  buildStatus: null
  scratchpad: null
  signal: null
  refused: null
  applyPatch: null
  runChecks: null
}>

type TaskVerbs = Pick<
  Verbs,
  Exclude<RouteOfRequest[RequestName], null> | 'updateTask' | 'blockTask' | 'unblockTask' | 'sealed'
>

export function taskVerbs({ context, name: repository, root, env }: ServedRepository): TaskVerbs {
  const wire = (task: Task): WireTaskRow => wireTask(task, repository)
  const ask = <Request extends SessionRequest>(request: Request, agent?: string) =>
    answerFromStore(context, speakerOf(agent), request)
  const show = async (id: string): Promise<WireTaskRow> => wire((await ask({ do: 'show', id: taskId(id) })).task)
  return {
    sealed: async ({ params }) => {
      const id = taskId(params.id)
      return wireSealed(id, await sealedOfTask(context, id, () => loadConfig({ folder: root, env })))
    },
    addTask: async ({ body: { id, title, deps, repository: _, ...rest } }) => {
      if (title.trim() === '') throw refuse('TASK_TITLE_MISSING')
      const text = { ...withoutUndefined(rest), title }
      return wire(await ask({ do: 'create', id: taskId(id), text, deps: deps.map(taskId) }))
    },
    updateTask: async ({ params, body: { status, agent, repository: _, ...rest } }) => {
      const text = withoutUndefined(rest)
      if (Object.keys(text).length === 0 && status === undefined)
        throw refuse('INPUT_BAD', { problem: 'body: no fields to update; give at least one' })
      const move = status === undefined ? null : { to: status, agent: speakerOf(agent).named() }
      return wire(await updateTask(context, taskId(params.id), text, move))
    },
    blockTask: async ({ params, body }) => {
      await blockTask(context, taskId(params.id), taskId(body.by))
      return show(params.id)
    },
    unblockTask: async ({ params, body }) => {
      await unblockTask(context, taskId(params.id), taskId(body.by))
      return show(params.id)
    },
    claimable: async ({ query: { limit } }) => ({ tasks: (await ask({ do: 'peek', limit })).map(wire) }),
    claimTask: async ({ body: { agent, task_id: id, leaseSeconds } }) => {
      const request = { do: 'claim', id: id === undefined ? null : taskId(id), leaseSeconds } as const
      const { task, blockerResults } = await ask(request, agent)
      const results = blockerResults.map((one) => ({
        id: one.id,
        result: { ...one.result, commit: String(one.result.commit) },
      }))
      return { task: wire(task), blockerResults: results }
    },
    renewTask: async ({ params, body: { agent, leaseSeconds } }) =>
      wire(await ask({ do: 'renew', id: taskId(params.id), leaseSeconds }, agent)),
    doneTask: async ({ params, body: { agent, result = null } }) =>
      wire(await ask({ do: 'done', id: taskId(params.id), result }, agent)),
    failTask: async ({ params, body: { agent, reason = null } }) =>
      wire(await ask({ do: 'fail', id: taskId(params.id), reason }, agent)),
    tasks: async ({ query: { status, after, limit } }) => {
      const all = await ask({ do: 'list', statuses: null, assignee: null })
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      if (after !== undefined && from === 0)
        throw refuse('INPUT_BAD', { problem: `after: there is no task '${after}'` })
      const found = all.slice(from).filter((task) => status === undefined || task.status === status)
      const tasks = found.slice(0, limit).map(wire)
      return { tasks, next: found.length > limit ? (tasks.at(-1)?.id ?? null) : null }
    },
    task: ({ params }) => show(params.id),
  }
}

/** The contract requires an agent where somebody has to hold the task. */
function speakerOf(agent: string | undefined): Speaker {
  return {
    named: () => (agent === undefined ? null : agentId(agent)),
    claiming: async () => agentId(agent ?? ''),
    // The server is the operator's, and lets in whoever has its key.
    isSession: async () => false,
  }
}

/** Leaves out what has no place in the contract. */
function wireTask(task: Task, repository: string): WireTaskRow {
  const { deps, steps, acceptance, filesExpected } = task
  const { claim, from } = claimOf(task)
  return {
    ...task,
    claim,
    claimFrom: from,
    reported: isReported(task),
    repository,
    deps: [...deps],
    steps: [...steps],
    acceptance: [...acceptance],
    filesExpected: [...filesExpected],
  }
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without the fields that were left out. */
function withoutUndefined<Fields extends Partial<Record<keyof TaskText, unknown>>>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
