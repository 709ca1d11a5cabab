// Many who wait for changes of one store need one watch on it, not one each.
import type { Store } from '../../store/store.ts'

export interface SharedChanges {
  /** As the store's own. */
  readonly changes: (signal: AbortSignal) => AsyncGenerator<void>
  readonly end: () => void
}

export function shareChanges(store: Pick<Store, 'changes'>): SharedChanges {
  const over = new AbortController()
  const bells = new Set<{ readonly ring: () => void; readonly end: () => void }>()
  void (async () => {
    for await (const _ of store.changes(over.signal)) for (const { ring } of bells) ring()
    for (const { end } of bells) end()
  })()

  const changes = (signal: AbortSignal): AsyncGenerator<void> => {
    let news: PromiseWithResolvers<void> = Promise.withResolvers()
    let isOver = signal.aborted || over.signal.aborted
    const bell = {
      ring: () => news.resolve(),
      end: () => {
        isOver = true
        bells.delete(bell)
        signal.removeEventListener('abort', bell.end)
        news.resolve()
      },
    }
    bells.add(bell)
    signal.addEventListener('abort', bell.end)
    if (isOver) bell.end()
    return told()

    async function* told(): AsyncGenerator<void> {
      try {
        for (;;) {
          await news.promise
          if (isOver) return
          news = Promise.withResolvers()
          yield
        }
      } finally {
        bell.end()
      }
    }
  }
  return { changes, end: () => over.abort() }
}
