// The plumbing of every live feed, over a WebSocket and as server-sent events: admission, heartbeats, back-pressure and
// closing. A feed itself only says what it sends.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { refuse } from '../core/error/error.ts'
import { eventsOf } from '../operations/contract/calls.ts'
import type { Following } from '../operations/feed/feed.ts'
import type { Format } from './feed-bytes.ts'
import { type FeedClock, type FeedTimes, openFeedClock, type Timed } from './feed-clock.ts'
import { type End, eventOutlet, openEvents, type Outlet, type Socket, socketOutlet } from './feed-outlets.ts'

const HEARTBEAT_MS = 15_000
const PATIENCE_MS = 10_000
/** A server that stops waits no longer for its readers to hang up. */
const FAREWELL_MS = 1_000

/** What the feeds of a server share. */
export interface FeedHost {
  readonly app: FastifyInstance
  readonly clock: FeedClock
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

export function openFeedHost(app: FastifyInstance, stopping: AbortSignal, times: Partial<FeedTimes> = {}): FeedHost {
  const { heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS } = times
  const clock = openFeedClock({ heartbeatMs, patienceMs }, Date.now)
  app.addHook('onClose', async () => clock.end())
  stopping.addEventListener('abort', () => setTimeout(clock.hangUp, FAREWELL_MS).unref())
  return { app, clock, stopping }
}

export interface LiveFeed<Start> {
  /** Of the WebSocket. */
  readonly path: string
  readonly schema: { readonly params?: z.ZodType; readonly querystring?: z.ZodType }
  readonly readersMax: number
  /** `place`: where a broken stream of events goes on. */
  readonly read: (request: FastifyRequest, place: string | undefined) => Start
  /** Refuses what cannot be followed, while the request still has an answer. */
  readonly require: (start: Start) => Promise<void>
  readonly follow: (start: Start, reader: FeedReader) => Following
}

export interface FeedReader {
  readonly format: Format
  /** False: the reader has enough until `goOn` is called. */
  readonly write: (bytes: Buffer) => boolean
  readonly end: (why: End) => void
}

export function offerLiveFeed<Start>(host: FeedHost, feed: LiveFeed<Start>): void {
  const { app, stopping } = host
  const { path, schema, readersMax, read } = feed
  let readers = 0
  const admit = async (request: FastifyRequest): Promise<void> => {
    if (stopping.aborted) throw refuse('STOPPING')
    if (readers >= readersMax) throw refuse('FEED_FULL', { limit: readersMax })
    await feed.require(read(request, undefined))
  }
  const serve = (start: Start, outlet: Outlet): (() => void) => {
    readers += 1
    const release = serveReader(host, outlet, (reader) => feed.follow(start, reader))
    return () => {
      readers -= 1
      release()
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
    wsHandler: (socket: Socket, request: FastifyRequest) => {
      const release = serve(read(request, undefined), socketOutlet(socket, request.raw.socket))
      socket.on('error', () => socket.terminate())
      socket.on('close', release)
    },
  })
  app.get(
    eventsOf(path),
    { schema, preHandler: admit, exposeHeadRoute: false },
    (request: FastifyRequest, reply: FastifyReply) => {
      const { 'last-event-id': place } = request.headers
      const start = read(request, typeof place === 'string' ? place : undefined)
      const raw = openEvents(reply)
      raw.once('close', serve(start, eventOutlet(raw)))
    },
  )
}

/** Returns the function to call when the connection is closed. */
function serveReader(
  { clock, stopping }: FeedHost,
  outlet: Outlet,
  follow: (reader: FeedReader) => Following,
): () => void {
  let isEnding = false
  const end = (why: End): void => {
    release()
    outlet.close(isEnding ? 'silent' : why)
    // The clock ends a reader that does not hang up in time.
    isEnding = true
    timed.fullSince = Date.now()
  }
  const stop = (): void => end('stopping')
  const timed: Timed = { beat: outlet.beat, cutOff: end, fullSince: null }
  const following = follow({
    format: outlet.format,
    write: (bytes) => {
      if (!outlet.isOpen() || outlet.stream.write(bytes)) return true
      timed.fullSince = Date.now()
      return false
    },
    end,
  })
  const release = (): void => {
    following.end()
    stopping.removeEventListener('abort', stop)
  }
  clock.add(timed)
  stopping.addEventListener('abort', stop)
  outlet.stream.on('drain', () => {
    if (isEnding) return
    timed.fullSince = null
    outlet.markAlive()
    following.goOn()
  })
  if (stopping.aborted) stop()
  return () => {
    release()
    clock.remove(timed)
  }
}
