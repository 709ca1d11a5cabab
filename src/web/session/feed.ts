// The live feed of a build: facts as they come, again from where it was when the connection is lost.
import { type FeedFact, feedFactOf } from './fold.ts'

export type Connection = 'connecting' | 'live' | 'lost'

const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
/** Facts are handed over so often at most: nobody reads faster, and each time the page is drawn again. */
const PACE_MS = 100

export interface Feed {
  readonly close: () => void
}

export interface FeedListener {
  /** All that came since the last time, in order. */
  readonly onFacts: (facts: readonly FeedFact[]) => void
  readonly onConnection: (connection: Connection) => void
  /** Where to go on: a number, or `BUILD:NUMBER`. */
  readonly after: () => string
}

/** `ref`: a build, or an idea, whose builds are followed one after the other. */
export function openFeed(ref: string, { onFacts, onConnection, after }: FeedListener): Feed {
  let socket: WebSocket | null = null
  let timer = 0
  let wait = RETRY_FIRST_MS
  let isClosed = false
  let queue: FeedFact[] = []

  const hand = (): void => {
    const facts = queue
    queue = []
    if (!isClosed && facts.length > 0) onFacts(facts)
  }
  const connect = (): void => {
    onConnection('connecting')
    const base = location.origin.replace(/^http/, 'ws')
    socket = new WebSocket(`${base}/api/build/${encodeURIComponent(ref)}/stream?after=${encodeURIComponent(after())}`)
    socket.addEventListener('open', () => {
      wait = RETRY_FIRST_MS
      onConnection('live')
    })
    socket.addEventListener('message', ({ data }) => {
      queue.push(feedFactOf(JSON.parse(String(data)) as Record<string, unknown>))
      if (queue.length === 1) setTimeout(hand, PACE_MS)
    })
    socket.addEventListener('close', () => {
      hand()
      if (isClosed) return
      onConnection('lost')
      timer = window.setTimeout(connect, wait)
      wait = Math.min(wait * 2, RETRY_MAX_MS)
    })
  }
  const hurry = (): void => {
    if (isClosed || socket?.readyState !== WebSocket.CLOSED) return
    clearTimeout(timer)
    connect()
  }
  addEventListener('online', hurry)
  document.addEventListener('visibilitychange', hurry)
  connect()
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
      socket?.close()
    },
  }
}
