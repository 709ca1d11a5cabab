// What the server has to tell again when certain things happened: once for many of them, however fast they come.
import { useEffect } from 'react'
import type { Fact } from '../../core/fact/fact.ts'
import { useLiveSession } from './use-build-session.tsx'

const ASKED_EVERY_MS = 500

/** `isTelling` and `ask` must stay the same from one drawing to the next. */
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
