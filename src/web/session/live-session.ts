// One build that is looked at: read once, then folded from the feed; read again where the feed tells of what only the
// server knows.
import { ask, Refused } from '../api.ts'
import { type Connection, openFeed } from './feed.ts'
import { type FeedFact, type Folded, foldedOf, foldFacts } from './fold.ts'

/** Facts that are shown as they come; all others are a page of the log away. */
const EVENTS_MAX = 200
/** After which a loop that has nothing more to do is gone. */
const LOOP_ENDS_MS = 1_000

export interface SessionNow {
  /** Null until it was read. */
  readonly session: Folded | null
  /** The last ones, oldest first. */
  readonly events: readonly FeedFact[]
  readonly connection: Connection
  readonly problem: Refused | null
}

export interface LiveSession {
  readonly now: () => SessionNow
  readonly subscribe: (listener: () => void) => () => void
  /** Told of each fact that came while it was looked at. */
  readonly onFact: (listener: (fact: FeedFact) => void) => () => void
  readonly read: () => Promise<void>
  readonly close: () => void
}

export function openSession(build: string): LiveSession {
  const listeners = new Set<() => void>()
  const factListeners = new Set<(fact: FeedFact) => void>()
  let state: SessionNow = { session: null, events: [], connection: 'connecting', problem: null }
  let feed: { readonly close: () => void } | null = null
  let reading: Promise<void> | null = null
  let isClosed = false

  const change = (part: Partial<SessionNow>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  const read = (): Promise<void> =>
    (reading ??= ask('view', { params: { id: build } })
      .then((view) => {
        if (isClosed) return
        const session = foldedOf(view)
        // What came meanwhile is folded on top.
        change({ session: foldFacts(session, state.events) ?? session, problem: null })
        feed ??= openFeed(session.build.id, { onFacts, onConnection, after })
      })
      .catch((error: unknown) => {
        if (error instanceof Refused) change({ problem: error })
        else throw error
      })
      .finally(() => (reading = null)))

  const after = (): number => state.events.at(-1)?.seq ?? Math.max(0, (state.session?.seq ?? 0) - EVENTS_MAX)

  /** Why it is lost is what the server says when it is asked; the feed only knows that it is. */
  function onConnection(connection: Connection): void {
    change({ connection })
    if (connection === 'lost') void read()
  }

  function onFacts(facts: readonly FeedFact[]): void {
    const known = state.session?.seq ?? 0
    const folded = state.session === null ? null : foldFacts(state.session, facts)
    change({
      events: [...state.events, ...facts].slice(-EVENTS_MAX),
      ...(folded === null ? {} : { session: folded }),
    })
    if (folded === null) void read()
    else if (facts.some(({ fact }) => mayEndLoop(fact))) setTimeout(() => isClosed || void read(), LOOP_ENDS_MS)
    for (const fact of facts) if (fact.seq > known) for (const listener of factListeners) listener(fact)
  }

  void read()
  return {
    now: () => state,
    subscribe: (listener) => added(listeners, listener),
    onFact: (listener) => added(factListeners, listener),
    read,
    close: () => {
      isClosed = true
      feed?.close()
    },
  }
}

/** That a loop has gone is no fact of the build; these are mostly followed by it. */
function mayEndLoop({ type }: FeedFact['fact']): boolean {
  return type === 'humanNeeded' || type === 'budgetExhausted' || type.startsWith('build')
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  return () => all.delete(one)
}
