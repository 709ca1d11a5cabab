// Refetches data after certain facts, once for a burst of them.
import { useEffect } from 'react'
import type { Fact } from '../../core/fact/fact.ts'
import { useLiveSession } from './use-build-session.tsx'

const ASKED_EVERY_MS = 500

/** `isRelevant` and `ask` must be stable between renders. */
export function useRefetchOnFact(isRelevant: (fact: Fact) => boolean, ask: () => unknown): void {
  const live = useLiveSession()
  useEffect(() => {
    let timer = 0
    const stop = live.onFact(({ fact }) => {
      if (timer !== 0 || !isRelevant(fact)) return
      timer = window.setTimeout(() => {
        timer = 0
        ask()
      }, ASKED_EVERY_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [live, isRelevant, ask])
}
