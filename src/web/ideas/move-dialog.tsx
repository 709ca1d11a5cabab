// The dialog of a move: its effect, or the reason of its refusal and the alternatives.
import { useId, useState } from 'react'
import { RequestRefused } from '../../operations/contract/client.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { PHASES } from '../words/pipeline-words.ts'
import type { AskedMove, Moves } from './use-moves.ts'

export function MoveDialog({ moves }: { readonly moves: Moves }) {
  const { asked, isBusy, confirm, close } = moves
  if (asked === null) return null
  const { idea, to, starts, refusal } = asked
  const about = (
    <>
      <p>
        <ForeignText text={idea.title} className="font-medium text-ink" />
      </p>
      {refusal === null && <p>{starts}</p>}
    </>
  )
  const title = refusal === null ? `Move to ${PHASES[to].word}?` : `Not moved to ${PHASES[to].word}`
  return (
    <Dialog onClose={close} title={title} about={about}>
      {refusal === null ? (
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button look="first" onClick={() => confirm()} isBusy={isBusy}>
            Move it
          </Button>
        </div>
      ) : (
        <Refusal asked={asked} moves={moves} />
      )}
    </Dialog>
  )
}

function Refusal({ asked: { idea, refusal }, moves }: { readonly asked: AskedMove; readonly moves: Moves }) {
  const isOverridable = refusal instanceof RequestRefused && refusal.code === 'RALPH_IDEA_NOT_READY'
  return (
    <div className="space-y-4">
      <Problem error={refusal} />
      <section aria-label="Where it can go">
        <h3 className="text-xs font-semibold text-soft">Where it can go from {PHASES[idea.phase].word}</h3>
        <ul className="mt-1 flex flex-wrap gap-2">
          {idea.legal.map((phase) => (
            <li key={phase}>
              <Button onClick={() => moves.want(idea, phase)} icon={PHASES[phase].icon}>
                {PHASES[phase].word}
              </Button>
            </li>
          ))}
        </ul>
      </section>
      {isOverridable && <Override moves={moves} />}
      <div className="flex justify-end">
        <Button onClick={moves.close}>Leave it</Button>
      </div>
    </div>
  )
}

/** A person may override missing conditions; the move records who did and why. */
function Override({ moves: { confirm, isBusy } }: { readonly moves: Moves }) {
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <form
      className="space-y-2 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== '') confirm(reason)
      }}
    >
      <label htmlFor={id} className="block text-sm font-medium">
        Move it all the same, because
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          value={reason}
          maxLength={2_000}
          onChange={({ target }) => setReason(target.value)}
          className="min-w-0 flex-1 rounded-md border border-line bg-page px-3 py-1 text-sm"
        />
        <Button type="submit" isOff={reason.trim() === ''} isBusy={isBusy}>
          Move it anyway
        </Button>
      </div>
      <p className="text-xs text-soft">Your name and this reason are kept with the move.</p>
    </form>
  )
}
