// One agent session within a budget. What the agent does goes to the transcript and to the watcher.
import type { Agent, Outcome, Role, Session, Usage } from '../../agents/agent.ts'
import { type Choice, whoWorks } from '../../core/session/fallback.ts'
import type { BuildId } from '../../core/values/id.ts'
import { readSessionRequest } from '../../core/request/session-request.ts'
import { isTurnedAway } from '../../core/money/spending.ts'
import type { OpenSocket } from '../../socket/socket.ts'
import { type KnownOutage, outageOf } from './limited-agents.ts'
import { runWithinBudget, type SessionOutcome, notStarted } from './session-budget.ts'
import { failureOfOutages, noteOutcome, orderOf, readOutages, announceAgent } from './fallback-agents.ts'
import type { SessionRequestHandler } from './session-requests.ts'
import type { SessionRequestContext, Transcript } from '../deps.ts'

export interface SessionEnd {
  readonly outcome: SessionOutcome
  readonly transcript: string
  /** The agent of the session; where no agent could work, the one we wait for. */
  readonly agent: Agent
}

/** What a session gets besides its prompt and its folder. */
export type SessionExtras = Pick<Session, 'plugin' | 'pluginPrompt'> & Partial<Pick<Session, 'env'>>

/** The prompt; it may differ between kinds of agents. */
export type Brief = string | ((agent: Agent) => Promise<string>)

/**
 * Runs the agent of the role or, where it cannot work, the next one that can, on what the first has left. `context`:
 * answers what the session asks while it works; without one nobody listens.
 */
export async function runSession(
  requestContext: SessionRequestContext,
  role: Role,
  brief: Brief,
  folder: string,
  context?: SessionRequestHandler,
  extras: SessionExtras = {},
): Promise<SessionEnd> {
  const { engine, attempt } = requestContext
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = engine.transcripts.open(transcriptName(requestContext, role, iteration))
  const order = orderOf(engine, role, attempt.worker)
  try {
    await readOutages(requestContext)
    for (;;) {
      const choice = whoWorks(order, (one) => outageOf(engine.memory.outages, one, engine.now()))
      if (choice.is !== 'works') return { ...unable(choice), transcript: transcript.path }
      const { agent } = choice
      const turn = await announceAgent(requestContext, role, order, agent)
      if (turn !== null) transcript.write({ type: 'log', text: turn })
      const prompt = typeof brief === 'string' ? brief : await brief(agent)
      const asked = { role, prompt, folder, iteration }
      const outcome = await runAgent(requestContext, agent, asked, transcript, context, extras)
      requestContext.meter?.add(outcome.usage)
      if (order.length > 1) noteOutcome(engine, agent, outcome.failure)
      const isOver = order.length === 1 || !isTurnedAway(outcome.failure?.kind ?? null)
      // An agent that has chosen a task keeps it; the next session of the loop continues it.
      if (isOver || requestContext.signal.aborted || requestContext.about?.() != null)
        return { agent, outcome, transcript: transcript.path }
    }
  } finally {
    await transcript.close()
  }
}

/** No agent can work now. */
function unable(choice: Exclude<Choice<Agent, KnownOutage>, { is: 'works' }>): Pick<SessionEnd, 'agent' | 'outcome'> {
  if (choice.is === 'waits') {
    const { agent, outage } = choice
    const { kind, reason, until } = outage
    return { agent, outcome: notStarted({ kind, sentence: reason, until }) }
  }
  const { all } = choice
  return { agent: (all[0] as (typeof all)[number]).agent, outcome: notStarted(failureOfOutages(all)) }
}

type SessionAsk = Pick<Session, 'role' | 'prompt' | 'folder' | 'iteration'>

async function runAgent(
  requestContext: SessionRequestContext,
  agent: Agent,
  asked: SessionAsk,
  transcript: Transcript,
  context: SessionRequestHandler | undefined,
  { env = {}, ...extras }: SessionExtras,
): Promise<SessionOutcome> {
  const { engine, task, attempt } = requestContext
  const over = new AbortController()
  const socket = context === undefined ? null : await listen(requestContext, context, over.signal)
  try {
    const reach = reachBy(socket, env)
    return await withinBudget(requestContext, agent, asked, (signal, watch) =>
      agent.run({
        ...asked,
        task: task?.id ?? null,
        attempt: attempt.number,
        ...extras,
        ...reach,
        signal,
        onEvent: (event) => {
          if (event.type === 'usage') watch(event.usage)
          transcript.write(event)
          engine.watcher.agent(asked.role, event, task?.id ?? null)
        },
      }),
    )
  } finally {
    // Stops checks that the session asked for; they would run to their own end.
    over.abort()
    await socket?.close()
  }
}

type Work = (signal: AbortSignal, watch: (used: Usage) => void) => Promise<Outcome>

/** Pays from the budget of the build; a plan without a build has no budget. */
function withinBudget(
  requestContext: SessionRequestContext,
  agent: Agent,
  { role, iteration }: SessionAsk,
  work: Work,
): Promise<SessionOutcome> {
  const { engine, build, task, attempt, agentId, signal } = requestContext
  if (agentId === undefined) return work(signal, () => {})
  const mark = {
    build: requestContext.account ?? (build as BuildId),
    task: task?.id ?? null,
    attempt: attempt.number,
    iteration,
    role,
    agent: agent.name,
    loop: agentId,
  }
  return runWithinBudget(engine, mark, signal, work, requestContext.about)
}

function listen(
  { engine }: SessionRequestContext,
  context: SessionRequestHandler,
  over: AbortSignal,
): Promise<OpenSocket> {
  return engine.sockets.open(async (request) => context.answer(readSessionRequest(request), over))
}

/** Each task has a folder; a session without a task is beside them. */
function transcriptName({ build, task, attempt }: SessionRequestContext, role: Role, iteration: number): string {
  const name = `${attempt.number}-${iteration}-${role}`
  return task === null ? `${build}/${name}` : `${build}/${task.id}/${name}`
}

function reachBy(socket: OpenSocket | null, env: Session['env']): Pick<Session, 'env' | 'reach'> {
  if (socket === null) return { env }
  const { path, ralph, commands } = socket
  return { env: { ...env, RALPH_SOCKET: path }, reach: { socket: path, ralph, commands } }
}
