// The transcripts of an idea's planners: the running one, or earlier ones on demand.
import { useState } from 'react'
import type { WirePlan } from '../../operations/contract/plans.ts'
import { Button } from '../parts/button.tsx'
import { when } from '../parts/time.ts'
import { PlannerTranscripts } from '../task/planner-transcripts.tsx'

interface PlannerWordsProps {
  readonly plan: WirePlan
  /** The planner was asked again, or is done. */
  readonly onTurn: () => unknown
}

export function PlannerWords({ plan, onTurn }: PlannerWordsProps) {
  const [isOpen, setOpen] = useState(false)
  const isNow = plan.planning_since !== null
  const [first, ...more] = plan.planner_sessions
  if (first === undefined) return null
  if (!isNow && !isOpen) return <Button onClick={() => setOpen(true)}>What the planner said</Button>
  return (
    <PlannerTranscripts
      title={isNow ? 'What the planner says' : 'What the planner said'}
      ids={[first, ...more]}
      words={wordsOf}
      isNow={isNow}
      onTurn={onTurn}
      aside={!isNow && <Button onClick={() => setOpen(false)}>Close</Button>}
    />
  )
}

/** Ends in `.SINCE.ATTEMPT.TURN.planner`. */
function wordsOf(id: string): string {
  const [since, attempt, turn] = id.split('.').slice(-4)
  const tries = attempt === '1' ? '' : `, attempt ${attempt}`
  return `${when(Number(since))}${tries}${turn === '1' ? '' : ', asked again'}`
}
