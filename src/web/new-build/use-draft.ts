// Unsaved changes of a plan survive a reload: the browser keeps them until the server has them.
import { useEffect, useMemo, useState } from 'react'
import type { WirePlan } from '../../operations/contract/plans.ts'
import { type Draft, draftOf } from './plan-draft.ts'

interface SavedDraft {
  /** The plan that was changed; a newer plan of the server replaces it. */
  readonly of: string
  readonly draft: Draft
}

export interface DraftInUse {
  readonly draft: Draft
  readonly isChanged: boolean
  readonly change: (draft: Draft) => void
  /** The server's version. */
  readonly forget: () => void
}

export function useDraft({ idea_id: idea, tasks, notes }: WirePlan): DraftInUse {
  const key = `ralph-plan:${idea}`
  const of = useMemo(() => JSON.stringify([tasks, notes]), [tasks, notes])
  const [kept, setKept] = useState<SavedDraft | null>(() => keptAt(key))
  const own = kept?.of === of ? kept.draft : null
  useEffect(() => {
    if (own === null) localStorage.removeItem(key)
    else keep(key, { of, draft: own })
  }, [key, of, own])
  const fresh = useMemo(() => draftOf({ tasks: tasks ?? [], notes }), [tasks, notes])
  return {
    draft: own ?? fresh,
    isChanged: own !== null,
    change: (draft) => setKept({ of, draft }),
    forget: () => setKept(null),
  }
}

function keptAt(key: string): SavedDraft | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as SavedDraft | null
  } catch {
    return null
  }
}

/** A browser without room loses only the unsaved changes. */
function keep(key: string, kept: SavedDraft): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    localStorage.removeItem(key)
  }
}
