// The live feed, over a WebSocket and as server-sent events: the same facts from the same log, each with its number, so
// that a reader who was cut off goes on where it was.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../core/error.ts'
import type { BuildDesk } from '../operations/builds.ts'
import { feedStart as startForm } from '../operations/contract.ts'
import { feedStart, type FeedStart, followFeed, requireFollowable } from '../operations/feed.ts'
import type { WireFact } from '../operations/wire-fact.ts'
import { openOutlet, type Outlet } from './outlet.ts'

const READERS_MAX = 1_000
const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 10_000

/** As RFC 6455 and its registry have them. */
const CLOSES = { goingAway: 1001, internal: 1011, tryAgainLater: 1013 } as const

export interface FeedRules {
  readonly desk: BuildDesk
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  readonly heartbeatMs?: number
  /** How long a reader may take nothing while its queue is full. */
  readonly patienceMs?: number
}

/** What is used of a WebSocket. */
interface Socket {
  readonly send: (text: string, done: (error?: Error) => void) => void
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'close' | 'error' | 'pong' | 'message', heard: () => void) => unknown
}

const params = z.object({ ideaId: z.string().min(1).max(128) })
const query = z.object({ after: startForm.default('0') })
interface Shape {
  Params: z.infer<typeof params>
  Querystring: z.infer<typeof query>
}
type Asked = FastifyRequest<Shape>

export function offerFeed(
  app: FastifyInstance,
  { desk, stopping, heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS }: FeedRules,
): void {
  let readers = 0
  const admit = async ({ params: { ideaId } }: Asked): Promise<void> => {
    if (stopping.aborted) throw refuse('STOPPING')
    if (readers >= READERS_MAX) throw refuse('FEED_FULL', { limit: READERS_MAX })
    await requireFollowable(desk, ideaId)
  }
  /** Until the reader is gone, too slow, or the server stops. */
  const read = async (
    ref: string,
    start: FeedStart,
    gone: AbortSignal,
    outlet: Outlet,
    form: (fact: WireFact) => string,
  ) => {
    readers += 1
    try {
      for await (const facts of followFeed(desk, ref, start, AbortSignal.any([gone, stopping])))
        for (const fact of facts) if (!gone.aborted && !(await outlet.deliver(form(fact)))) return 'slow'
      return 'ended'
    } finally {
      readers -= 1
    }
  }

  app.get<Shape>(
    '/api/build/:ideaId/stream',
    { websocket: true, schema: { params, querystring: query }, preHandler: admit },
    (socket: Socket, request: Asked) => {
      const gone = beating(socket, heartbeatMs)
      const outlet = openOutlet((text, taken) => socket.send(text, () => taken()), patienceMs)
      read(request.params.ideaId, feedStart(request.query.after), gone, outlet, (fact) => JSON.stringify(fact)).then(
        (how) => {
          if (how === 'slow') socket.close(CLOSES.tryAgainLater, 'too slow; go on with ?after=')
          else socket.close(CLOSES.goingAway, 'the server stops')
          setTimeout(() => socket.terminate(), heartbeatMs).unref()
        },
        () => socket.close(CLOSES.internal, 'the log cannot be read'),
      )
    },
  )

  app.get<Shape>(
    '/api/build/:ideaId/events',
    { schema: { params, querystring: query }, preHandler: admit },
    async (request: Asked, reply: FastifyReply) => {
      const start = feedStart(startForm.catch(request.query.after).parse(request.headers['last-event-id']))
      const raw = openEvents(reply)
      const gone = new AbortController()
      raw.once('close', () => gone.abort())
      const beat = setInterval(() => raw.write(': beat\n\n'), heartbeatMs)
      const outlet = openOutlet((text, taken) => raw.write(text, () => taken()), patienceMs)
      try {
        const how = await read(request.params.ideaId, start, gone.signal, outlet, eventText)
        if (how === 'slow') raw.destroy()
      } catch {
        raw.destroy()
      } finally {
        clearInterval(beat)
        raw.end()
      }
    },
  )
}

function openEvents(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' })
  raw.on('error', () => {})
  raw.write('retry: 1000\n\n')
  return raw
}

function eventText(fact: WireFact): string {
  return `id: ${fact.sessionId}:${fact.seq}\nevent: ${fact.type}\ndata: ${JSON.stringify(fact)}\n\n`
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
