// A feed of news that need no queue, over a WebSocket and as server-sent events: what changed again before it was sent is
// told once, as it is then. Who does not take what was sent in time is cut off, and may come again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refuse } from '../core/error/error.ts'
import { eventsOf } from '../operations/contract/calls.ts'
import { openEvents } from './event-stream.ts'

const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 10_000

/** As RFC 6455 and its registry have them. */
const CLOSES = { over: 1000, goingAway: 1001, internal: 1011, tryAgainLater: 1013 } as const

export interface NewsTimes {
  readonly heartbeatMs?: number
  /** How long a reader may take nothing of what was sent. */
  readonly patienceMs?: number
}

export interface NewsFeed<Asked, Message> extends NewsTimes {
  /** Of the WebSocket. */
  readonly path: string
  readonly schema: { readonly params?: z.ZodType; readonly querystring?: z.ZodType }
  readonly readersMax: number
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** What is wanted; `place`: where a stream of events that broke off wants to go on. */
  readonly read: (request: FastifyRequest, place: string | undefined) => Asked
  /** Refuses what cannot be followed, while there is still an answer to put that into. */
  readonly require?: (asked: Asked) => Promise<void>
  readonly follow: (asked: Asked, signal: AbortSignal) => AsyncIterable<Message>
  readonly eventOf: (message: Message) => string
}

/** What is used of a WebSocket. */
interface Socket {
  readonly send: (text: string, done: () => void) => void
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'close' | 'error' | 'pong', heard: () => void) => unknown
}

type Send = (text: string, taken: () => void) => void

export function offerNews<Asked, Message>(app: FastifyInstance, feed: NewsFeed<Asked, Message>): void {
  const { path, schema, readersMax, stopping, heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS } = feed
  let readers = 0
  const admit = async (request: FastifyRequest): Promise<void> => {
    if (stopping.aborted) throw refuse('STOPPING')
    if (readers >= readersMax) throw refuse('FEED_FULL', { limit: readersMax })
    await feed.require?.(feed.read(request, undefined))
  }
  /** Until it is over, the reader is gone or too slow, or the server stops. */
  const read = async (asked: Asked, send: Send, form: (message: Message) => string, gone: AbortSignal) => {
    readers += 1
    try {
      for await (const message of feed.follow(asked, AbortSignal.any([gone, stopping])))
        if (!(await isTaken(send, form(message), patienceMs))) return 'tryAgainLater'
      return stopping.aborted ? 'goingAway' : 'over'
    } catch {
      return 'internal'
    } finally {
      readers -= 1
    }
  }
  app.route({
    method: 'GET',
    url: path,
    schema: { hide: true, ...schema },
    exposeHeadRoute: false,
    preHandler: admit,
    handler: () => {
      throw refuse('UPGRADE_NEEDED')
    },
    wsHandler: async (socket: Socket, request: FastifyRequest) => {
      const send: Send = (text, taken) => socket.send(text, taken)
      const asked = feed.read(request, undefined)
      const how = await read(asked, send, (message) => JSON.stringify(message), beating(socket, heartbeatMs))
      socket.close(CLOSES[how], how === 'tryAgainLater' ? 'too slow; go on with ?after=' : '')
      setTimeout(() => socket.terminate(), heartbeatMs).unref()
    },
  })
  app.get(
    eventsOf(path),
    { schema, preHandler: admit, exposeHeadRoute: false },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { 'last-event-id': place } = request.headers
      const asked = feed.read(request, typeof place === 'string' ? place : undefined)
      const raw = openEvents(reply)
      const gone = new AbortController()
      raw.once('close', () => gone.abort())
      const beat = setInterval(() => raw.write(': beat\n\n'), heartbeatMs)
      const how = await read(asked, (text, taken) => raw.write(text, () => taken()), feed.eventOf, gone.signal)
      clearInterval(beat)
      if (how === 'goingAway' || how === 'over') raw.end()
      else raw.destroy()
    },
  )
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

function isTaken(send: Send, text: string, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    send(text, () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
