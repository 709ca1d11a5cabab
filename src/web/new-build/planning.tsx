// A running planner. The server keeps its result, also when the page is closed.
import { LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import type { WirePlan } from '../../operations/contract/plans.ts'
import { server } from '../server.ts'
import { Button } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { span } from '../parts/time.ts'
import { useNow } from '../parts/use-now.ts'
import { Link } from '../router.tsx'
import { PlannerWords } from './planner-words.tsx'

interface PlanningProps {
  readonly plan: WirePlan
  /** Called when it was stopped. */
  readonly onStopped: () => void
  /** The planner was asked again, or is done. */
  readonly onTurn: () => unknown
}

export function Planning({ plan, onStopped, onTurn }: PlanningProps) {
  const { planning_since: since, told, planner, idea_id: id } = plan
  const now = useNow(since === null ? null : 1_000)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const stop = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await server.transition({ id, to: 'ideation_ready', reason: 'the planning was cancelled' })
      onStopped()
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <div className="space-y-4">
      <Panel title="Planning">
        <div className="space-y-3">
          <p role="status" className="flex items-center gap-2">
            <LoaderCircle size={16} aria-hidden className="animate-spin text-busy" />
            {since === null
              ? 'Somebody writes the spec by hand; the plan is here when they say that it is ready.'
              : `The planner (${planner}) reads the project and makes a plan.`}
            {since !== null && now !== null && <span className="text-soft tabular-nums">{span(now - since)}</span>}
          </p>
          {told !== null && (
            <p className="rounded-md bg-ask-soft px-3 py-2 text-sm text-ask">
              <ForeignText text={told} />
            </p>
          )}
          <p className="text-sm text-soft">
            This often takes some minutes. You can close this page: the plan is kept, and its card on the{' '}
            <Link to={{ at: 'ideas' }}>board</Link> leads back here.
          </p>
          {error !== null && <Problem error={error} />}
          <Button onClick={() => void stop()} isBusy={isBusy}>
            {isBusy ? 'Stopping…' : 'Cancel planning'}
          </Button>
        </div>
      </Panel>
      <PlannerWords plan={plan} onTurn={onTurn} />
    </div>
  )
}
