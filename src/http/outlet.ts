// What is on its way to one reader is bounded: who does not take it in time is cut off, and can go on from where it was.

const QUEUE_BYTES_MAX = 1024 * 1024

export interface Outlet {
  /** Resolves when there is room for more; false: the reader is too slow. */
  readonly deliver: (text: string) => Promise<boolean>
}

/** `send` says when the network has taken it. */
export function openOutlet(
  send: (text: string, taken: () => void) => void,
  patienceMs: number,
  queueBytesMax: number = QUEUE_BYTES_MAX,
): Outlet {
  let queued = 0
  let roomy = (): void => {}
  return {
    deliver: async (text) => {
      const bytes = Buffer.byteLength(text)
      queued += bytes
      send(text, () => {
        queued -= bytes
        if (queued <= queueBytesMax) roomy()
      })
      return queued <= queueBytesMax || (await within(patienceMs, (resolve) => (roomy = resolve)))
    },
  }
}

function within(limitMs: number, begin: (resolve: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs)
    begin(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
