// The current build, for every part of the page that shows it.
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react'
import { type LiveSession, openSession, type SessionNow } from './live-session.ts'

const Current = createContext<LiveSession | null>(null)

/** All parts below share one connection, which survives navigation between them. */
export function BuildSession({ build, children }: { readonly build: string; readonly children: ReactNode }) {
  const [live, setLive] = useState<LiveSession | null>(null)
  useEffect(() => {
    const opened = openSession(build)
    setLive(opened)
    return () => {
      opened.close()
      setLive(null)
    }
  }, [build])
  return live === null ? null : <Current value={live}>{children}</Current>
}

export function useLiveSession(): LiveSession {
  const live = use(Current)
  if (live === null) throw new Error('a part of the page that shows a build stands outside of BuildSession')
  return live
}

export function useBuildSession(): SessionNow {
  const live = useLiveSession()
  return useSyncExternalStore(live.subscribe, live.now)
}
