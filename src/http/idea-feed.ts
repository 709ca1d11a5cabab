// The feed of ideas, over a WebSocket and as server-sent events. An idea that changed again before it was sent is sent
// once, as it is then, so there is no queue: who does not take what was sent in time is cut off, and can go on from there.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../core/error.ts'
import type { IdeaNews } from '../operations/contract.ts'
import { eventsOf, feeds } from '../operations/contract/calls.ts'
import { boardPlaces } from '../operations/contract/ideas.ts'
import { repository } from '../operations/contract/repositories.ts'
import type { CardPlace } from '../operations/idea-cards.ts'
import { followBoards } from '../operations/idea-feed.ts'
import { repositoriesMeant } from '../operations/which-repository.ts'

const READERS_MAX = 1_000
const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 10_000

/** As RFC 6455 and its registry have them. */
const CLOSES = { goingAway: 1001, internal: 1011, tryAgainLater: 1013 } as const

export interface IdeaFeedRules {
  readonly boards: readonly CardPlace[]
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  readonly heartbeatMs?: number
  /** How long a reader may take nothing of what was sent. */
  readonly patienceMs?: number
}

/** What is used of a WebSocket. */
interface Socket {
  readonly send: (text: string, done: () => void) => void
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'close' | 'error' | 'pong', heard: () => void) => unknown
}

const query = z.object({ after: boardPlaces.default('0'), repository })
type Start = z.infer<typeof query>
interface Shape {
  Querystring: Start
}
type Asked = FastifyRequest<Shape>
type Send = (text: string, taken: () => void) => void

export function offerIdeaFeed(
  app: FastifyInstance,
  { boards, stopping, heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS }: IdeaFeedRules,
): void {
  let readers = 0
  const admit = async ({ query: { repository: named } }: Asked): Promise<void> => {
    repositoriesMeant(boards, named)
    if (stopping.aborted) throw refuse('STOPPING')
    if (readers >= READERS_MAX) throw refuse('FEED_FULL', { limit: READERS_MAX })
  }
  /** Until the reader is gone, too slow, or the server stops. */
  const read = async (
    send: Send,
    form: (news: IdeaNews) => string,
    { after, repository: named }: Start,
    gone: AbortSignal,
  ) => {
    readers += 1
    try {
      const meant = repositoriesMeant(boards, named)
      for await (const news of followBoards(meant, after, AbortSignal.any([gone, stopping])))
        for (const one of news) if (!(await isTaken(send, form(one), patienceMs))) return 'tryAgainLater'
      return 'goingAway'
    } catch {
      return 'internal'
    } finally {
      readers -= 1
    }
  }
  app.route<Shape>({
    method: 'GET',
    url: feeds.ideas,
    schema: { hide: true, querystring: query },
    exposeHeadRoute: false,
    preHandler: admit,
    handler: () => {
      throw refuse('UPGRADE_NEEDED')
    },
    wsHandler: async (socket: Socket, request: Asked) => {
      const send: Send = (text, taken) => socket.send(text, taken)
      const how = await read(send, (news) => JSON.stringify(news), request.query, beating(socket, heartbeatMs))
      socket.close(CLOSES[how], how === 'tryAgainLater' ? 'too slow; go on with ?after=' : '')
      setTimeout(() => socket.terminate(), heartbeatMs).unref()
    },
  })
  app.get<Shape>(
    eventsOf(feeds.ideas),
    { schema: { querystring: query }, preHandler: admit, exposeHeadRoute: false },
    async (request: Asked, reply: FastifyReply) => {
      const after = boardPlaces.catch(request.query.after).parse(request.headers['last-event-id'])
      const raw = openEvents(reply)
      const gone = new AbortController()
      raw.once('close', () => gone.abort())
      const beat = setInterval(() => raw.write(': beat\n\n'), heartbeatMs)
      const how = await read(
        (text, taken) => raw.write(text, () => taken()),
        eventText,
        { ...request.query, after },
        gone.signal,
      )
      clearInterval(beat)
      if (how === 'goingAway') raw.end()
      else raw.destroy()
    },
  )
}

function eventText(news: IdeaNews): string {
  return `id: ${news.after}\nevent: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`
}

/** Aborted when the reader is gone, or does not answer any more. */
function beating(socket: Socket, heartbeatMs: number): AbortSignal {
  const gone = new AbortController()
  let isAnswered = true
  const beat = setInterval(() => {
    if (!isAnswered) return socket.terminate()
    isAnswered = false
    socket.ping()
  }, heartbeatMs)
  socket.on('pong', () => (isAnswered = true))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(beat)
    gone.abort()
  })
  return gone.signal
}

function openEvents(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' })
  raw.on('error', () => {})
  raw.write('retry: 1000\n\n')
  return raw
}

function isTaken(send: Send, text: string, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    send(text, () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
