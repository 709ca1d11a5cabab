// The faults of the plan, and the actions on it.
import { Play } from 'lucide-react'
import { useState } from 'react'
import type { GraphFault } from '../../core/plan/build-graph.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { Link } from '../router.tsx'
import { type Draft, planOf } from './plan-draft.ts'
import type { DraftInUse } from './use-draft.ts'
import type { Sending } from './use-sending.ts'

interface PlanActionsProps extends Pick<DraftInUse, 'draft' | 'isChanged' | 'forget'> {
  readonly faults: readonly GraphFault[]
  /** Open tasks that the build includes as well. */
  readonly alsoBuilt: number
  readonly sending: Sending
}

export function PlanActions({ draft, isChanged, forget, faults, alsoBuilt, sending }: PlanActionsProps) {
  const { doing, error } = sending
  const [isAsking, setAsking] = useState(false)
  const send = (what: Parameters<Sending['send']>[0]): void => void sending.send(what, planOf(draft))
  const isOff = faults.length > 0 || doing !== null
  return (
    <div className="space-y-2 rounded-lg border border-line bg-panel px-3 py-3 sm:sticky sm:bottom-3 sm:px-4 sm:shadow-md">
      {error !== null && <Refusal error={error} />}
      <p role="status" className={`text-sm ${faults.length === 0 ? 'text-soft' : 'text-bad'}`}>
        {standing(draft, faults)}
        {alsoBuilt > 0 && ` ${also(alsoBuilt)}`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="first"
          icon={Play}
          onClick={() => send('start')}
          isBusy={doing === 'start'}
          isOff={isOff}
          title={faults.length > 0 ? 'Mend what is marked first' : 'Agents begin to work on it'}
        >
          {doing === 'start' ? 'Starting…' : 'Start the build'}
        </Button>
        <Button onClick={() => send('save')} isBusy={doing === 'save'} isOff={isOff || !isChanged}>
          Save for later
        </Button>
        {isChanged && <Button onClick={forget}>Undo all changes</Button>}
        <Button onClick={() => setAsking(true)} isBusy={doing === 'again'}>
          Plan again
        </Button>
      </div>
      {isAsking && (
        <AgainDialog
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            send('again')
          }}
        />
      )}
    </div>
  )
}

function standing({ tasks }: Draft, faults: readonly GraphFault[]): string {
  const whole = faults.find(({ at }) => at === null)
  if (whole !== undefined) return `Not yet: ${whole.what}.`
  const count = faults.length
  if (count > 0) return `Not yet: ${count === 1 ? 'one problem is' : `${count} problems are`} marked above.`
  return tasks.length === 1 ? 'One task, ready to be built.' : `${tasks.length} tasks, ready to be built.`
}

function also(count: number): string {
  return count === 1
    ? 'One task that is open already is built as well.'
    : `${count} tasks that are open already are built as well.`
}

/** Another build that is not over is the usual reason. */
function Refusal({ error }: { readonly error: unknown }) {
  return (
    <div className="space-y-1">
      <Problem error={error} />
      <p className="text-sm text-soft">
        Nothing of the plan is lost. <Link to={{ at: 'home' }}>Look at the builds</Link>
      </p>
    </div>
  )
}

function AgainDialog({ onClose, onConfirm }: { readonly onClose: () => void; readonly onConfirm: () => void }) {
  const about = <p>The planner reads the project anew, and its next plan takes the place of this one.</p>
  return (
    <Dialog onClose={onClose} title="Plan again?" about={about}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep this plan</Button>
        <Button look="first" onClick={onConfirm}>
          Plan it again
        </Button>
      </div>
    </Dialog>
  )
}
