// One clock for all readers of the feeds: sends their heartbeats, and cuts off those that take no bytes any more.

export interface Timed {
  /** Sends a heartbeat. False: the reader did not answer the last one. */
  readonly beat: () => boolean
  readonly cutOff: (why: 'slow' | 'silent') => void
  /** When the reader stopped taking bytes; null: it takes them. */
  fullSince: number | null
}

export interface FeedClock {
  readonly add: (reader: Timed) => void
  readonly remove: (reader: Timed) => void
  /** Cuts off all readers that are left. */
  readonly hangUp: () => void
  readonly end: () => void
}

export interface FeedTimes {
  readonly heartbeatMs: number
  /** How long a reader may take no bytes. */
  readonly patienceMs: number
}

/** Checks per shorter of the two times. */
const LOOKS = 4

export function openFeedClock({ heartbeatMs, patienceMs }: FeedTimes, now: () => number): FeedClock {
  const beaten = new Map<Timed, number>()
  const look = (): void => {
    const time = now()
    for (const [reader, at] of beaten) {
      if (reader.fullSince !== null) {
        if (time - reader.fullSince >= patienceMs) reader.cutOff('slow')
      } else if (time - at >= heartbeatMs) {
        beaten.set(reader, time)
        if (!reader.beat()) reader.cutOff('silent')
      }
    }
  }
  const timer = setInterval(look, Math.min(heartbeatMs, patienceMs) / LOOKS).unref()
  return {
    add: (reader) => void beaten.set(reader, now()),
    remove: (reader) => void beaten.delete(reader),
    hangUp: () => {
      for (const reader of beaten.keys()) reader.cutOff('silent')
    },
    end: () => clearInterval(timer),
  }
}
