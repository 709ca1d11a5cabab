// The state of one build on the page: read once, then folded from the feed, and read again where only the server knows
// the new state.
import type { ConnectionState } from '../../operations/contract/client-feed.ts'
import { RequestRefused } from '../../operations/contract/client.ts'
import { server } from '../server.ts'
import { openFeed } from './feed.ts'
import { type FeedFact, type Folded, foldedOf, foldFacts } from './fold.ts'

/** The newest facts in memory; the log has the others. */
const EVENTS_MAX = 200
/** Time until a loop without work has ended. */
const LOOP_ENDS_MS = 1_000
/** Time until the next read where the answer was older than the feed. */
const AGAIN_MS = 200

export interface SessionNow {
  /** Null until it was read. */
  readonly session: Folded | null
  /** The last ones, oldest first. */
  readonly events: readonly FeedFact[]
  readonly connection: ConnectionState
  readonly problem: RequestRefused | null
  /** An idea that has no build yet. */
  readonly isUnstarted: boolean
}

export interface LiveSession {
  readonly now: () => SessionNow
  readonly subscribe: (listener: () => void) => () => void
  /** Called for each new fact. */
  readonly onFact: (listener: (fact: FeedFact) => void) => () => void
  readonly read: () => Promise<void>
  readonly close: () => void
}

/** `ref`: a build, or an idea, whose newest build is shown, also one that starts later. */
export function openSession(ref: string): LiveSession {
  const listeners = new Set<() => void>()
  const factListeners = new Set<(fact: FeedFact) => void>()
  let state: SessionNow = { session: null, events: [], connection: 'connecting', problem: null, isUnstarted: false }
  let feed: { readonly close: () => void } | null = null
  let reading: Promise<void> | null = null
  let isClosed = false

  const change = (part: Partial<SessionNow>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const later = (ms: number): unknown => setTimeout(() => isClosed || void read(), ms)

  const read = (): Promise<void> =>
    (reading ??= server
      .view({ id: ref })
      .then((view) => {
        if (isClosed) return
        const session = foldedOf(view)
        // Facts that came meanwhile are folded on top. If they do not fit, the next answer has them.
        const events = state.events.filter(({ build }) => build === session.build.id)
        const folded = foldFacts(session, events)
        if (folded === null && (events.at(-1)?.seq ?? 0) > session.seq) later(AGAIN_MS)
        change({ session: folded ?? session, events, problem: null, isUnstarted: false })
        feed ??= openFeed(ref, { onFacts, onConnection, after: placeAfter(state) })
      })
      .catch((error: unknown) => {
        if (!(error instanceof RequestRefused)) throw error
        // Only an idea can still get a build.
        const isUnstarted = error.status === 404 && !ref.startsWith('b_')
        change(isUnstarted ? { isUnstarted, problem: null } : { problem: error })
        if (isUnstarted && !isClosed) feed ??= openFeed(ref, { onFacts, onConnection, after: placeAfter(state) })
      })
      .finally(() => (reading = null)))

  /** A read gets the reason of the loss from the server; the feed does not know it. */
  function onConnection(connection: ConnectionState): void {
    change({ connection })
    if (connection === 'lost') void read()
  }

  function onFacts(facts: readonly FeedFact[]): void {
    const { session } = state
    const newest = facts.at(-1)?.build
    const own = facts.filter(({ build }) => build === newest)
    const isSame = session !== null && session.build.id === newest
    const folded = isSame ? foldFacts(session, own) : null
    const events = isSame ? [...state.events, ...own] : own
    change({ events: events.slice(-EVENTS_MAX), ...(folded === null ? {} : { session: folded }) })
    if (folded === null) void read()
    else if (own.some(({ fact }) => mayEndLoop(fact))) later(LOOP_ENDS_MS)
    if (isSame) for (const fact of own) if (fact.seq > session.seq) for (const listener of factListeners) listener(fact)
  }

  void read()
  return {
    now: () => state,
    subscribe: (listener) => addTo(listeners, listener),
    onFact: (listener) => addTo(factListeners, listener),
    read,
    close: () => {
      isClosed = true
      feed?.close()
    },
  }
}

/** Where the feed starts. */
function placeAfter({ session, events }: SessionNow): string {
  const last = events.at(-1)
  if (last !== undefined) return `${last.build}:${last.seq}`
  return session === null ? '0' : `${session.build.id}:${Math.max(0, session.seq - EVENTS_MAX)}`
}

/** The end of a loop is no fact of the build, but it mostly follows these. */
function mayEndLoop({ type }: FeedFact['fact']): boolean {
  return type === 'humanNeeded' || type === 'budgetExhausted' || type === 'baselineFailed' || type.startsWith('build')
}

function addTo<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  return () => all.delete(one)
}
