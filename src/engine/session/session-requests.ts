// Answers what a session asks while it works. The session is bound to one build, one task and one folder, and can touch
// no other. `done` and `fail` are the signal that ends the iteration; evidence decides what they are worth.
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import { renderScratchpad } from '../../core/session/scratchpad.ts'
import {
  answerRequest,
  type RequestHandlers,
  type RequestOf,
  type SessionAnswers,
  type SessionRequest,
} from '../../core/request/session-request.ts'
import { type Signal, signalOf } from '../../core/session/signal.ts'
import { DEFAULT_CLAIM } from '../../core/task/claim.ts'
import { newTask, renewLease, type Task } from '../../core/task/task.ts'
import { LEASE_SECONDS } from '../claimed-task.ts'
import { writeScratchpad } from './scratchpad-file.ts'
import { type PatchToolsUntil, NO_PATCH_TOOLS } from './patch-tools.ts'
import type { TaskRun } from '../deps.ts'
import { blockersOf, readingAnswers } from './task-reading.ts'

/** Answers the requests of a session; throws its refusals. */
export interface SessionRequestHandler {
  /** `over`: aborted when the session is over and nobody waits for the answer any more. */
  readonly answer: <Request extends SessionRequest>(
    request: Request,
    over?: AbortSignal,
  ) => Promise<SessionAnswers[Request['do']]>
}

/** What a session reported with its tools. */
export interface SessionReport {
  /** Only the last one counts. */
  readonly signal: Signal | null
  /** As it was written to the folder, which the session may have cleaned since. */
  readonly scratchpad: string | null
}

export interface IterationRequestHandler extends SessionRequestHandler {
  readonly said: () => SessionReport
}

/** How many tasks one session may create: more than one small task leads to, and few enough to read. */
const TASKS_MADE_MAX = 20

/** More than the operator has commands. */
const REFUSALS_TOLD_MAX = 50

/** For a session that works on a task that its loop has claimed. */
export function iterationRequestHandler(
  taskRun: TaskRun,
  folder: string,
  iteration: number,
  padFile?: string,
  tools: PatchToolsUntil = NO_PATCH_TOOLS,
): IterationRequestHandler {
  let said: SessionReport = { signal: null, scratchpad: null }
  const say = (signal: Signal): void => {
    said = { ...said, signal }
  }
  const bound = boundTo(taskRun)
  const create = taskMaker(taskRun, iteration, bound)
  const refused = tellingRefused(taskRun, taskRun.task.id)
  const answering = (over?: AbortSignal): RequestHandlers => ({
    ...readingAnswers(taskRun.engine),
    claim: async ({ id }) => {
      if (id !== null && id !== taskRun.task.id) throw refuse('TASK_NOT_ELIGIBLE')
      return { ...(await claimOf(taskRun, await bound.task())), brief: null }
    },
    renew: async ({ id }) => bound.renew(id),
    done: async ({ id }) => {
      const task = await bound.task(id)
      say(signalOf('TASK_COMPLETE'))
      return task
    },
    fail: async ({ id, reason }) => {
      const task = await bound.task(id)
      say(signalOf('TASK_STUCK', reason ?? ''))
      return task
    },
    create,
    buildStatus: () => standing(taskRun, iteration),
    scratchpad: async (text) => {
      await bound.task()
      const scratchpad = renderScratchpad(iteration, text)
      writeScratchpad(folder, scratchpad, padFile)
      said = { ...said, scratchpad }
      return null
    },
    signal: async ({ signal, reason }) => {
      await bound.task()
      say(signalOf(signal, reason ?? ''))
      return null
    },
    refused,
    applyPatch: async (request) => {
      await bound.task()
      return tools(over).applyPatch(request)
    },
    runChecks: async (request) => {
      await bound.task()
      return tools(over).runChecks(request)
    },
  })
  return { answer: (request, over) => answerRequest(answering(over), request), said: () => said }
}

/** Records each command once: an agent may repeat it all night. */
export function tellingRefused(
  { engine, build }: Pick<TaskRun, 'engine' | 'build'>,
  task: TaskId | null,
): (request: RequestOf<'refused'>) => Promise<null> {
  const told = new Set<string>()
  return async ({ command }) => {
    if (told.has(command) || told.size >= REFUSALS_TOLD_MAX) return null
    told.add(command)
    const fact = { type: 'commandRefused', command, ...(task === null ? {} : { taskId: task }) } as const
    await engine.store.builds.note(build, fact)
    engine.watcher.fact(fact)
    return null
  }
}

interface OwnTask {
  /** The session's task as it is now. Refuses another task, and a task that was taken away. */
  readonly task: (id?: TaskId) => Promise<Task>
  readonly renew: (id: TaskId) => Promise<Task>
}

function boundTo({ engine, task: own, agentId }: TaskRun): OwnTask {
  const requireOwn = (id: TaskId): void => {
    if (id !== own.id) throw refuse('OTHER_TASK', { id: own.id })
  }
  const requireHeld = (task: Task | null): Task => {
    if (task?.status !== 'active' || task.fence !== own.fence) throw refuse('SESSION_OVER', { id: own.id })
    return task
  }
  return {
    task: async (id = own.id) => {
      requireOwn(id)
      return requireHeld(await engine.store.tasks.find(engine.scope, own.id))
    },
    // As long as the loop would renew it: a session that asks for a year still dies with its loop.
    renew: async (id) => {
      requireOwn(id)
      return engine.store.tasks.change(engine.scope, id, (task, now) =>
        renewLease(requireHeld(task), agentId, LEASE_SECONDS, now),
      )
    },
  }
}

async function claimOf({ engine }: TaskRun, task: Task) {
  const blockers = await blockersOf(engine, task)
  return { task, blockerResults: blockers.flatMap(({ id, result }) => (result === null ? [] : [{ id, result }])) }
}

/**
 * A new task is open, and nothing waits for it. Its description says that no person wrote it, and whatever its title
 * and its type say, it claims behaviour.
 */
function taskMaker(
  { engine, build, task: own, attempt }: TaskRun,
  iteration: number,
  bound: OwnTask,
): RequestHandlers['create'] {
  let made = 0
  const origin = `Made by the agent of task '${own.id}' (attempt ${attempt.number}, iteration ${iteration}).`
  return async ({ id, text, deps }: RequestOf<'create'>) => {
    await bound.task()
    if (made >= TASKS_MADE_MAX) throw refuse('TASKS_MADE_MAX', { max: TASKS_MADE_MAX })
    const description = text.description == null ? origin : `${text.description}\n\n${origin}`
    const task = { ...newTask(id, { ...text, description }, deps, engine.now()), build, fixedClaim: DEFAULT_CLAIM }
    await engine.store.tasks.create(engine.scope, task)
    made += 1
    return task
  }
}

async function standing({ engine, build, task, attempt }: TaskRun, iteration: number) {
  const found = await engine.store.builds.find(build)
  return {
    build: found === null ? null : { id: found.id, state: found.state },
    plan: await engine.store.tasks.counts(engine.scope),
    iteration: { task: task.id, attempt: attempt.number, iteration, iterationsMax: attempt.limits.iterations },
  }
}
