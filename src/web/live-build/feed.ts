// The live feed of a build, handed over in batches.
import type { ConnectionState } from '../../operations/contract/client-feed.ts'
import { server } from '../server.ts'
import { type FeedFact, feedFactOf } from './fold.ts'

/** The shortest time between two batches. The page is drawn again for each of them. */
const BATCH_MS = 100

export interface Feed {
  readonly close: () => void
}

export interface FeedListener {
  /** The facts since the last call, in order. */
  readonly onFacts: (facts: readonly FeedFact[]) => void
  readonly onConnection: (connection: ConnectionState) => void
  /** Where to start: a number, or `BUILD:NUMBER`. */
  readonly after: string
}

/** `ref`: a build, or an idea, whose builds are followed one after the other. */
export function openFeed(ref: string, { onFacts, onConnection, after }: FeedListener): Feed {
  const closing = new AbortController()
  const { signal } = closing
  let queue: FeedFact[] = []
  const handOver = (): void => {
    const facts = queue
    queue = []
    if (!signal.aborted && facts.length > 0) onFacts(facts)
  }
  const follow = async (): Promise<void> => {
    for await (const fact of server.follow(ref, { after, signal, onRefusal: 'retry', onConnection: changed })) {
      queue.push(feedFactOf(fact))
      if (queue.length === 1) setTimeout(handOver, BATCH_MS)
    }
  }
  function changed(connection: ConnectionState): void {
    handOver()
    if (!signal.aborted) onConnection(connection)
  }
  void follow()
  return { close: () => closing.abort() }
}
