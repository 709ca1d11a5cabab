// A feed over a WebSocket that goes on by itself: a connection that is cut is opened again after the last message that was
// taken. What arrives faster than it is taken is bounded: then the connection is closed, and opened again later.

const QUEUE_MAX = 10_000
const DELAY_FIRST_MS = 100
const DELAY_MAX_MS = 10_000

export interface SocketOptions<Message> {
  readonly urlAfter: (place: string | null) => string
  readonly protocols: readonly string[]
  readonly start: string | null
  /** Where to go on after this one. */
  readonly placeOf: (message: Message) => string
  /** Asked where a connection does not come about; throws why. */
  readonly probe: () => Promise<void>
  /** Whether trying again is of no use. */
  readonly isLasting: (error: unknown) => boolean
  readonly signal: AbortSignal | undefined
}

/** Ends when `signal` is aborted or nobody takes any more; throws where the server lets nobody in. */
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
