// A feed over a WebSocket that reconnects by itself after the last message that was read. The queue is bounded: if
// messages arrive faster than they are read, the connection is closed and opened again later.

const QUEUE_MAX = 10_000
const DELAY_FIRST_MS = 100
const DELAY_MAX_MS = 10_000

/** `lost`: the feed connects again by itself. */
export type ConnectionState = 'connecting' | 'live' | 'lost'

export interface SocketOptions<Message> {
  readonly urlAfter: (place: string | null) => string
  readonly protocols: readonly string[]
  readonly start: string | null
  /** Where to continue after this message. */
  readonly placeOf: (message: Message) => string
  /** Called after a connection that could not be opened. Throws the refusal that ends the feed; otherwise it tries again. */
  readonly probe: () => Promise<void>
  readonly onConnection: ((state: ConnectionState) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Ends when `signal` is aborted or nobody reads any more; throws if the server refuses the client. */
export async function* followSocket<Message>(options: SocketOptions<Message>): AsyncGenerator<Message> {
  const { signal, onConnection } = options
  const isOver = (): boolean => signal?.aborted === true
  let place = options.start
  let failures = 0
  while (!isOver()) {
    onConnection?.('connecting')
    const connection = openConnection(options.urlAfter(place), options.protocols, signal, () => onConnection?.('live'))
    try {
      for await (const text of connection.taken()) {
        const message = JSON.parse(text) as Message
        failures = 0
        place = options.placeOf(message)
        if (isOver()) return
        yield message
      }
    } finally {
      connection.close()
    }
    if (isOver()) return
    onConnection?.('lost')
    if (!connection.wasOpen()) await options.probe()
    await pause(delayAfter(failures), signal)
    failures += 1
  }
}

/** Doubles each time, with jitter: otherwise all clients would come back at once. */
function delayAfter(failures: number): number {
  return Math.min(DELAY_FIRST_MS * 2 ** failures, DELAY_MAX_MS) * (0.5 + Math.random() / 2)
}

interface Connection {
  /** In order, until the connection is closed and everything was read. */
  readonly taken: () => AsyncGenerator<string>
  readonly wasOpen: () => boolean
  readonly close: () => void
}

function openConnection(
  url: string,
  protocols: readonly string[],
  signal: AbortSignal | undefined,
  onOpen: () => void,
): Connection {
  const socket = new WebSocket(url, [...protocols])
  const queue: string[] = []
  let isOpen = true
  let wasOpen = false
  let wake = (): void => {}
  const end = (): void => {
    isOpen = false
    signal?.removeEventListener('abort', close)
    wake()
  }
  function close(): void {
    end()
    socket.close()
  }
  socket.addEventListener('open', () => {
    wasOpen = true
    onOpen()
  })
  socket.addEventListener('close', end)
  socket.addEventListener('error', end)
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (!isOpen) return
    queue.push(String(data))
    if (queue.length >= QUEUE_MAX) close()
    wake()
  })
  signal?.addEventListener('abort', close)
  return {
    async *taken() {
      for (;;) {
        // All at once: shifting a long list one by one is slow.
        yield* queue.splice(0)
        if (signal?.aborted === true) return
        if (queue.length > 0) continue
        if (!isOpen) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    wasOpen: () => wasOpen,
    close,
  }
}

/** Ends early when a page is online again, or comes into view. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const { addEventListener, document } = globalThis as Partial<EventTarget> & { readonly document?: EventTarget }
    const over = new AbortController()
    const end = (): void => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, over)
    addEventListener?.('online', end, over)
    document?.addEventListener('visibilitychange', end, over)
  })
}
