// What a session may say to the engine, said by somebody who has no engine: a person, a script, an agent of their own.
import { refuse } from '../../core/error/error.ts'
import type { AgentId } from '../../core/values/id.ts'
import { answerFrom, type Answering } from '../../core/request/session-answering.ts'
import type { SessionAnswers, SessionRequest } from '../../core/request/session-request.ts'
import { readingAnswers } from '../../engine/session/task-reading.ts'
import { claimTask, completeTask, createTask, failTask, renewTask, type TaskStoreContext } from './tasks.ts'

export interface Speaker {
  /** Null: the operator. */
  readonly named: () => AgentId | null
  /** Somebody always holds a claim. */
  readonly claiming: () => Promise<AgentId>
}

export function answerFromStore<Request extends SessionRequest>(
  context: TaskStoreContext,
  speaker: Speaker,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  return answerFrom(answering(context, speaker), request)
}

function answering(context: TaskStoreContext, { named, claiming }: Speaker): Answering {
  const noIteration = async (): Promise<never> => {
    throw refuse('NO_ITERATION')
  }
  return {
    ...readingAnswers(context),
    claim: async ({ id, leaseSeconds }) => {
      const agent = await claiming()
      const claim = await claimTask(context, { ...(id === null ? {} : { id }), agent, leaseSeconds })
      return { ...claim, brief: null }
    },
    renew: async ({ id, leaseSeconds }) => renewTask(context, id, await claiming(), leaseSeconds),
    done: async ({ id, result }) => completeTask(context, id, named(), result),
    fail: async ({ id, reason }) => failTask(context, id, named(), reason),
    create: ({ id, text, deps }) => createTask(context, id, text, deps),
    buildStatus: async () => {
      const build = await context.store.builds.newest(context.scope)
      const plan = await context.store.tasks.counts(context.scope)
      return { build: build === null ? null : { id: build.id, state: build.state }, plan, iteration: null }
    },
    scratchpad: noIteration,
    signal: noIteration,
    refused: noIteration,
    applyPatch: noIteration,
    runChecks: noIteration,
  }
}
