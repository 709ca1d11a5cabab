// What a person does to a build: one thing at a time, with what came of it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api.ts'
import type { Verb, VerbAnswer, VerbInput } from '../paths.ts'
import { useLiveSession } from '../session/use-build-session.tsx'

export interface Acting {
  /** What is under way; null: nothing. */
  readonly doing: string | null
  readonly error: unknown
  readonly forget: () => void
  /** True: it is done. `name` tells two uses of a verb apart. */
  readonly act: <Name extends Verb>(
    name: string,
    verb: Name,
    input: VerbInput<Name>,
  ) => Promise<VerbAnswer<Name> | null>
}

export function useAct(): Acting {
  const live = useLiveSession()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const act: Acting['act'] = async (name, verb, input) => {
    setDoing(name)
    setError(null)
    try {
      return await ask(verb, input)
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
