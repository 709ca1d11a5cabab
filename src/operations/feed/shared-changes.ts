// All who wait for changes of one store share one watch on it.
import type { Store } from '../../store/store.ts'

export interface SharedChanges {
  /** The same as the store's own. */
  readonly changes: (signal: AbortSignal) => AsyncGenerator<void>
  readonly end: () => void
}

export function shareChanges(store: Pick<Store, 'changes'>): SharedChanges {
  const over = new AbortController()
  const waiters = new Set<{ readonly wake: () => void; readonly end: () => void }>()
  void (async () => {
    for await (const _ of store.changes(over.signal)) for (const { wake } of waiters) wake()
    for (const { end } of waiters) end()
  })()

  const changes = (signal: AbortSignal): AsyncGenerator<void> => {
    let news: PromiseWithResolvers<void> = Promise.withResolvers()
    let isOver = signal.aborted || over.signal.aborted
    const waiter = {
      wake: () => news.resolve(),
      end: () => {
        isOver = true
        waiters.delete(waiter)
        signal.removeEventListener('abort', waiter.end)
        news.resolve()
      },
    }
    waiters.add(waiter)
    signal.addEventListener('abort', waiter.end)
    if (isOver) waiter.end()
    return waitingForChanges()

    async function* waitingForChanges(): AsyncGenerator<void> {
      try {
        for (;;) {
          await news.promise
          if (isOver) return
          news = Promise.withResolvers()
          yield
        }
      } finally {
        waiter.end()
      }
    }
  }
  return { changes, end: () => over.abort() }
}
