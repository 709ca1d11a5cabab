// The live feed, over a WebSocket and as server-sent events: the same facts from the same log, each with its number, so
// that a reader who was cut off goes on where it was.
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../core/error/error.ts'
import { feedStart as startForm } from '../operations/contract/contract.ts'
import { repository } from '../operations/contract/repositories.ts'
import { type Feed, feedStart } from '../operations/feed/feed.ts'
import { openEvents } from './event-stream.ts'
import { bytesOf, type Way } from './feed-bytes.ts'
import { type FeedClock, type FeedTimes, openFeedClock, type Timed } from './feed-clock.ts'

const READERS_MAX = 4_000
const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 10_000
/** A server that stops does not wait any longer for readers to hang up. */
const FAREWELL_MS = 1_000

/** As RFC 6455 and its registry have them. */
const CLOSES = { goingAway: 1001, internal: 1011, tryAgainLater: 1013 } as const

export interface FeedRules extends Partial<FeedTimes> {
  readonly feed: Feed
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

/** What is used of a WebSocket. */
interface Socket {
  readonly readyState: number
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'close' | 'error' | 'pong' | 'message', heard: () => void) => unknown
}

const OPEN = 1

const params = z.object({ ideaId: z.string().min(1).max(128) })
const query = z.object({ after: startForm.default('0'), repository })
interface Shape {
  Params: z.infer<typeof params>
  Querystring: z.infer<typeof query>
}
type Asked = FastifyRequest<Shape>

/** Why a reader is given no more. */
type End = 'slow' | 'silent' | 'stopping' | 'broken'

/** One who reads, in its own way. */
interface Outlet {
  readonly way: Way
  /** Where bytes go; what it has not taken is bounded by what is written at once. */
  readonly stream: Writable
  readonly isOpen: () => boolean
  readonly beat: () => boolean
  /** Who takes what was written is there. */
  readonly heard: () => void
  readonly close: (why: End) => void
}

export function offerFeed(
  app: FastifyInstance,
  { feed, stopping, heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS }: FeedRules,
): void {
  const clock = openFeedClock({ heartbeatMs, patienceMs }, Date.now)
  app.addHook('onClose', async () => clock.end())
  stopping.addEventListener('abort', () => setTimeout(clock.hangUp, FAREWELL_MS).unref())
  const admit = async ({ params: { ideaId }, query: { repository: named } }: Asked): Promise<void> => {
    if (stopping.aborted) throw refuse('STOPPING')
    if (feed.readers() >= READERS_MAX) throw refuse('FEED_FULL', { limit: READERS_MAX })
    await feed.require(ideaId, named)
  }
  const serve = ({ params: { ideaId: ref }, query: { repository: named } }: Asked, start: string, outlet: Outlet) =>
    follow({ feed, stopping, clock }, { ref, repository: named, start, outlet })

  app.route<Shape>({
    method: 'GET',
    url: '/api/build/:ideaId/stream',
    schema: { hide: true, params, querystring: query },
    exposeHeadRoute: false,
    preHandler: admit,
    handler: () => {
      throw refuse('UPGRADE_NEEDED')
    },
    wsHandler: (socket: Socket, request: Asked) => {
      const gone = serve(request, request.query.after, socketOutlet(socket, request.raw.socket))
      socket.on('error', () => socket.terminate())
      socket.on('close', gone)
    },
  })

  app.get<Shape>(
    '/api/build/:ideaId/events',
    { schema: { params, querystring: query }, preHandler: admit, exposeHeadRoute: false },
    (request: Asked, reply: FastifyReply) => {
      const start = startForm.catch(request.query.after).parse(request.headers['last-event-id'])
      const raw = openEvents(reply)
      raw.once('close', serve(request, start, eventOutlet(raw)))
    },
  )
}

interface Following extends Pick<FeedRules, 'feed' | 'stopping'> {
  readonly clock: FeedClock
}

interface Wanted {
  readonly ref: string
  readonly repository: string | undefined
  readonly start: string
  readonly outlet: Outlet
}

/** Answers what is to be called when the reader is gone. */
function follow({ feed, stopping, clock }: Following, { ref, repository: named, start, outlet }: Wanted): () => void {
  let isTold = false
  const end = (why: End): void => {
    release()
    outlet.close(isTold ? 'silent' : why)
    // Who does not hang up in time is hung up on.
    isTold = true
    timed.fullSince = Date.now()
  }
  const stop = (): void => end('stopping')
  const timed: Timed = { beat: outlet.beat, cutOff: end, fullSince: null }
  const following = feed.follow({
    ref,
    repository: named,
    start: feedStart(start),
    take: (piece) => {
      if (!outlet.isOpen() || outlet.stream.write(bytesOf(piece, outlet.way))) return true
      timed.fullSince = Date.now()
      return false
    },
    fail: () => end('broken'),
  })
  const release = (): void => {
    following.end()
    stopping.removeEventListener('abort', stop)
  }
  clock.add(timed)
  stopping.addEventListener('abort', stop)
  outlet.stream.on('drain', () => {
    if (isTold) return
    timed.fullSince = null
    outlet.heard()
    following.goOn()
  })
  if (stopping.aborted) stop()
  return () => {
    release()
    clock.remove(timed)
  }
}

/** Whole frames are written past the library that reads them and closes: that makes them anew for each reader. */
function socketOutlet(socket: Socket, stream: Writable): Outlet {
  let isAnswered = true
  const heard = (): void => {
    isAnswered = true
  }
  socket.on('pong', heard)
  return {
    way: 'frames',
    stream,
    isOpen: () => socket.readyState === OPEN,
    beat: () => {
      const was = isAnswered
      isAnswered = false
      if (was) socket.ping()
      return was
    },
    heard,
    close: (why) => {
      if (why === 'silent') socket.terminate()
      else if (why === 'slow') socket.close(CLOSES.tryAgainLater, 'too slow; go on with ?after=')
      else if (why === 'broken') socket.close(CLOSES.internal, 'the log cannot be read')
      else socket.close(CLOSES.goingAway, 'the server stops')
    },
  }
}

function eventOutlet(raw: ServerResponse): Outlet {
  return {
    way: 'events',
    stream: raw,
    isOpen: () => !raw.destroyed,
    beat: () => {
      raw.write(': beat\n\n')
      return true
    },
    heard: () => {},
    close: (why) => {
      if (why === 'stopping') raw.end()
      else raw.destroy()
    },
  }
}
