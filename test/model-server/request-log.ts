// The requests and answers of a model server. A full log drops the oldest first.
import type { IncomingHttpHeaders } from 'node:http'
import type { Ask } from './ask.ts'
import type { Turn } from './turn.ts'

/** A request of a coding agent holds its tools and is some 100 KB. */
const BOUNDS = { entries: 2000, bytes: 128 * 1024 * 1024 }

export interface Logged {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Null where it was no question to the model. */
  readonly ask: Ask | null
  readonly turn: Turn | null
}

export interface RequestLog {
  readonly all: () => readonly Logged[]
  readonly add: (logged: Logged) => void
  /** How many are no more in it. */
  readonly forgotten: () => number
  /** Sees all from now on. */
  readonly watch: (look: (logged: Logged) => void) => void
  /** The first from now on that fits. */
  readonly next: (fits: (logged: Logged) => boolean) => Promise<Logged>
}

export function openLog(bounds = BOUNDS): RequestLog {
  const entries: Logged[] = []
  const watching = new Set<(logged: Logged) => void>()
  let bytes = 0
  let forgotten = 0
  return {
    all: () => [...entries],
    forgotten: () => forgotten,
    add: (logged) => {
      entries.push(logged)
      bytes += logged.body.length
      while (entries.length > bounds.entries || bytes > bounds.bytes) {
        bytes -= entries.shift()?.body.length ?? 0
        forgotten += 1
      }
      for (const look of watching) look(logged)
    },
    watch: (look) => void watching.add(look),
    next: (fits) =>
      new Promise((resolve) => {
        const look = (logged: Logged): void => {
          if (!fits(logged)) return
          watching.delete(look)
          resolve(logged)
        }
        watching.add(look)
      }),
  }
}
