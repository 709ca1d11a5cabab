// The two ways to a reader: a WebSocket, and an answer of server-sent events.
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Format } from './feed-bytes.ts'

/** Why a reader gets no more. */
export type End = 'over' | 'slow' | 'silent' | 'stopping' | 'broken'

export interface Outlet {
  readonly format: Format
  readonly stream: Writable
  readonly isOpen: () => boolean
  /** Sends a heartbeat. False: the reader did not answer the one before. */
  readonly beat: () => boolean
  /** The reader takes bytes, so it is alive. */
  readonly markAlive: () => void
  readonly close: (why: End) => void
}

/** The part of a WebSocket that a feed uses. */
export interface Socket {
  readonly readyState: number
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  readonly on: (event: 'close' | 'error' | 'pong' | 'message', markAlive: () => void) => unknown
}

const OPEN = 1

/** Codes of RFC 6455 and its registry. */
const CLOSES: Readonly<Record<Exclude<End, 'silent'>, readonly [code: number, reason: string]>> = {
  over: [1000, ''],
  stopping: [1001, 'the server stops'],
  broken: [1011, 'the log cannot be read'],
  slow: [1013, 'too slow; go on with ?after='],
}

/** Writes whole frames to the stream of the socket: the WebSocket library would encode them again for each reader. */
export function socketOutlet(socket: Socket, stream: Writable): Outlet {
  let isAnswered = true
  const markAlive = (): void => {
    isAnswered = true
  }
  socket.on('pong', markAlive)
  return {
    format: 'frames',
    stream,
    isOpen: () => socket.readyState === OPEN,
    beat: () => {
      const was = isAnswered
      isAnswered = false
      if (was) socket.ping()
      return was
    },
    markAlive,
    close: (why) => {
      if (why === 'silent') socket.terminate()
      else socket.close(...CLOSES[why])
    },
  }
}

/** Begins the answer. A client that loses it comes again after a second. */
export function openEvents(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' })
  raw.on('error', () => {})
  raw.write('retry: 1000\n\n')
  return raw
}

export function eventOutlet(raw: ServerResponse): Outlet {
  return {
    format: 'events',
    stream: raw,
    isOpen: () => !raw.destroyed,
    beat: () => {
      raw.write(': beat\n\n')
      return true
    },
    markAlive: () => {},
    close: (why) => {
      if (why === 'stopping' || why === 'over') raw.end()
      else raw.destroy()
    },
  }
}
