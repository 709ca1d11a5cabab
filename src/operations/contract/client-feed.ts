// A feed over a WebSocket that goes on by itself: a connection that is cut is opened again after the last message that was
// taken. What arrives faster than it is taken is bounded: then the connection is closed, and opened again later.

const QUEUE_MAX = 10_000
const DELAY_FIRST_MS = 100
const DELAY_MAX_MS = 10_000

/** `lost`: the feed connects again by itself. */
export type ConnectionState = 'connecting' | 'live' | 'lost'

export interface SocketOptions<Message> {
  readonly urlAfter: (place: string | null) => string
  readonly protocols: readonly string[]
  readonly start: string | null
  /** Where to go on after this one. */
  readonly placeOf: (message: Message) => string
  /** Called after a connection that could not be opened. Throws the refusal that ends the feed; otherwise it tries again. */
  readonly probe: () => Promise<void>
  readonly onConnection: ((state: ConnectionState) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Ends when `signal` is aborted or nobody takes any more; throws where the server lets nobody in. */
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

/** Doubled each time, and each client at another moment: they would all come back at once. */
function delayAfter(failures: number): number {
  return Math.min(DELAY_FIRST_MS * 2 ** failures, DELAY_MAX_MS) * (0.5 + Math.random() / 2)
}

interface Connection {
  /** In order, until it is closed and all is taken. */
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
        // All at once: taking them one by one from the front of a long list is slow.
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
