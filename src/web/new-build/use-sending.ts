// The actions on a plan: save it, plan again, or build it.
import { useState } from 'react'
import type { PlanDraft, WirePlan } from '../../operations/contract/plans.ts'
import { server } from '../server.ts'
import { navigate } from '../router.tsx'

type Doing = 'start' | 'save' | 'again'

export interface PlanWays {
  readonly onSaved: (plan: WirePlan) => void
  readonly onPlanAgain: () => Promise<void>
}

export interface Sending {
  /** The running action; null: none. */
  readonly doing: Doing | null
  readonly error: unknown
  readonly send: (what: Doing, draft: PlanDraft) => Promise<void>
}

export function useSending(idea: string, { onSaved, onPlanAgain }: PlanWays): Sending {
  const [doing, setDoing] = useState<Doing | null>(null)
  const [error, setError] = useState<unknown>(null)
  const ways: Readonly<Record<Doing, (draft: PlanDraft) => Promise<void>>> = {
    start: async (body) => {
      const { sessionId } = await server.startPlan({ ...body, id: idea })
      navigate({ at: 'build', build: sessionId, tab: 'tasks' })
    },
    save: async (body) => onSaved(await server.savePlan({ ...body, id: idea })),
    again: onPlanAgain,
  }
  const send: Sending['send'] = async (what, draft) => {
    setDoing(what)
    setError(null)
    try {
      await ways[what](draft)
    } catch (refused) {
      setError(refused)
    } finally {
      setDoing(null)
    }
  }
  return { doing, error, send }
}
