// An action of a person on a build: one at a time, with its result.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveSession } from '../live-build/use-build-session.tsx'

export interface Acting {
  /** The running action; null: none. */
  readonly doing: string | null
  readonly error: unknown
  readonly forget: () => void
  /** Null: the server refused it. `doing` is `name` meanwhile. */
  readonly act: <Answer>(name: string, request: () => Promise<Answer>) => Promise<Answer | null>
}

export function useAct(): Acting {
  const live = useLiveSession()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const act: Acting['act'] = async (name, request) => {
    setDoing(name)
    setError(null)
    try {
      return await request()
    } catch (refused) {
      setError(refused)
      return null
    } finally {
      setDoing(null)
      void live.read()
      void queries.invalidateQueries({ queryKey: ['state'] })
    }
  }
  return { doing, error, act, forget: () => setError(null) }
}
