// One agent session, watched: what it does goes to the transcript and to whoever looks on.
import type { Outcome, Role, Session } from '../agents/agent.ts'
import { readSessionRequest } from '../core/session-request.ts'
import type { OpenSocket } from '../socket/socket.ts'
import type { SessionDesk } from './session-desk.ts'
import type { Errand } from './shop.ts'

export interface SessionEnd {
  readonly outcome: Outcome
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
  const { shop, task, attempt, signal } = errand
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = shop.transcripts.open(transcriptName(errand, role, iteration))
  let socket: OpenSocket | null = null
  try {
    if (desk !== undefined) socket = await listen(errand, desk)
    const outcome = await shop.agents[role].run({
      role,
      prompt,
      folder,
      task: task?.id ?? null,
      attempt: attempt.number,
      iteration,
      ...outfit,
      ...reachBy(socket, env),
      signal,
      onEvent: (event) => {
        transcript.write(event)
        shop.watcher.agent(role, event, task?.id ?? null)
      },
    })
    return { outcome, transcript: transcript.path }
  } finally {
    await socket?.close()
    await transcript.close()
  }
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
