// Moving an idea. A move that starts something needs a confirmation; a refusal is shown in the server's words.
import { useState } from 'react'
import type { PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaCard } from '../../operations/contract/ideas.ts'
import { server } from '../server.ts'
import { startedBy } from '../words/pipeline-words.ts'

type Movable = Pick<IdeaCard, 'id' | 'title' | 'phase' | 'resumes' | 'legal' | 'repository'>

/** A move that needs a decision. */
export interface AskedMove {
  readonly idea: Movable
  readonly to: PipelinePhase
  /** Its effect. */
  readonly starts: string | null
  /** The refusal of the server; null: it was not asked yet. */
  readonly refusal: unknown
}

export interface Moves {
  readonly asked: AskedMove | null
  readonly isBusy: boolean
  readonly want: (idea: Movable, to: PipelinePhase) => void
  /** `despite`: the reason for an override. */
  readonly confirm: (despite?: string) => void
  readonly close: () => void
}

export function useMoves(moved: (card: IdeaCard) => void): Moves {
  const [asked, setAsked] = useState<AskedMove | null>(null)
  const [isBusy, setBusy] = useState(false)
  const move = async (wanted: AskedMove, despite?: string): Promise<void> => {
    const { idea, to } = wanted
    setBusy(true)
    try {
      const override = despite === undefined ? {} : { override: true, reason: despite }
      const where = idea.repository === null ? {} : { repository: idea.repository }
      const body = { to, reason: 'moved on the board', ...override, ...where }
      moved(await server.transition({ ...body, id: idea.id }))
      setAsked(null)
    } catch (refusal) {
      setAsked({ ...wanted, refusal })
    } finally {
      setBusy(false)
    }
  }
  return {
    asked,
    isBusy,
    want: (idea, to) => {
      if (to === idea.phase) return
      const wanted: AskedMove = { idea, to, starts: startedBy(idea, to), refusal: null }
      if (wanted.starts === null) void move(wanted)
      else setAsked(wanted)
    },
    confirm: (despite) => {
      if (asked !== null) void move(asked, despite)
    },
    close: () => setAsked(null),
  }
}
