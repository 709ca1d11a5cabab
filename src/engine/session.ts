// One agent session, paid for and watched: what it does goes to the transcript and to whoever looks on.
import type { Outcome, Role, Session, Usage } from '../agents/agent.ts'
import type { BuildId } from '../core/id.ts'
import { readSessionRequest } from '../core/session-request.ts'
import type { OpenSocket } from '../socket/socket.ts'
import { knownLimit } from './limited-agents.ts'
import { paidSession, type SessionOutcome, unbegun } from './purse.ts'
import type { SessionDesk } from './session-desk.ts'
import type { Errand } from './shop.ts'

export interface SessionEnd {
  readonly outcome: SessionOutcome
  readonly transcript: string
}

/** What a session is given beyond its prompt and its folder. */
export type Outfit = Pick<Session, 'plugin' | 'pluginPrompt'> & Partial<Pick<Session, 'env'>>

/** `desk`: who answers what the session asks while it works; without one nobody listens. */
export async function runSession(
  errand: Errand,
  role: Role,
  prompt: string,
  folder: string,
  desk?: SessionDesk,
  { env = {}, ...outfit }: Outfit = {},
): Promise<SessionEnd> {
  const { shop, task, attempt } = errand
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = shop.transcripts.open(transcriptName(errand, role, iteration))
  const agent = shop.agents[role]
  let socket: OpenSocket | null = null
  try {
    const limit = knownLimit(agent, shop.now())
    if (limit !== null) return { outcome: unbegun(limit), transcript: transcript.path }
    if (desk !== undefined) socket = await listen(errand, desk)
    const reach = reachBy(socket, env)
    const outcome = await paid(errand, role, iteration, (signal, watch) =>
      agent.run({
        role,
        prompt,
        folder,
        task: task?.id ?? null,
        attempt: attempt.number,
        iteration,
        ...outfit,
        ...reach,
        signal,
        onEvent: (event) => {
          if (event.type === 'usage') watch(event.usage)
          transcript.write(event)
          shop.watcher.agent(role, event, task?.id ?? null)
        },
      }),
    )
    errand.meter?.add(outcome.usage)
    return { outcome, transcript: transcript.path }
  } finally {
    await socket?.close()
    await transcript.close()
  }
}

type Work = (signal: AbortSignal, watch: (used: Usage) => void) => Promise<Outcome>

/** From the budget of its build; what is planned without one is on its own account. */
function paid(errand: Errand, role: Role, iteration: number, work: Work): Promise<SessionOutcome> {
  const { shop, build, task, attempt, agentId, signal } = errand
  if (agentId === undefined) return work(signal, () => {})
  const mark = {
    build: errand.account ?? (build as BuildId),
    task: task?.id ?? null,
    attempt: attempt.number,
    iteration,
    role,
    agent: shop.agents[role].name,
    loop: agentId,
  }
  return paidSession(shop, mark, signal, work, errand.about)
}

function listen({ shop }: Errand, desk: SessionDesk): Promise<OpenSocket> {
  return shop.sockets.open(async (request) => desk.answer(readSessionRequest(request)))
}

/** A folder for each task; what is about none stands beside them. */
function transcriptName({ build, task, attempt }: Errand, role: Role, iteration: number): string {
  const name = `${attempt.number}-${iteration}-${role}`
  return task === null ? `${build}/${name}` : `${build}/${task.id}/${name}`
}

function reachBy(socket: OpenSocket | null, env: Session['env']): Pick<Session, 'env' | 'reach'> {
  if (socket === null) return { env }
  const { path, ralph, commands } = socket
  return { env: { ...env, RALPH_SOCKET: path }, reach: { socket: path, ralph, commands } }
}
