// A feed over a WebSocket that reconnects by itself after the last message that was read. The queue is bounded: if
// messages arrive faster than they are read, the connection is closed and opened again later.

const QUEUE_MAX = 10_000
const DELAY_FIRST_MS = 100
const DELAY_MAX_MS = 10_000

export interface SocketOptions<Message> {
  readonly urlAfter: (place: string | null) => string
  readonly protocols: readonly string[]
  readonly start: string | null
  /** Where to continue after this message. */
  readonly placeOf: (message: Message) => string
  /** Called if a connection fails; throws the reason. */
  readonly probe: () => Promise<void>
  /** Whether another try would be useless. */
  readonly isLasting: (error: unknown) => boolean
  readonly signal: AbortSignal | undefined
}

/** Ends when `signal` is aborted or nobody reads any more; throws if the server refuses the client. */
export async function* followSocket<Message>(options: SocketOptions<Message>): AsyncGenerator<Message> {
  const { signal } = options
  const isOver = (): boolean => signal?.aborted === true
  let place = options.start
  let failures = 0
  while (!isOver()) {
    const connection = openConnection(options.urlAfter(place), options.protocols, signal)
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
    if (!connection.wasOpen()) {
      const error: unknown = await options.probe().catch((thrown: unknown) => thrown)
      if (options.isLasting(error)) throw error
    }
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

function openConnection(url: string, protocols: readonly string[], signal: AbortSignal | undefined): Connection {
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
  socket.addEventListener('open', () => (wasOpen = true))
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

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', over)
    function over(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      resolve()
    }
  })
}
