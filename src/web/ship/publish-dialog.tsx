// The last question before the base branch moves.
import { useState } from 'react'
import type { Answer } from '../../operations/contract/contract.ts'
import { RequestRefused } from '../../operations/contract/client.ts'
import { server } from '../server.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'

interface PublishDialogProps {
  readonly build: string
  readonly gate: Answer<'gate'>
  /** Null: it was not published. */
  readonly onClose: (published: Answer<'publish'> | null) => void
}

const ALLOWANCES = {
  skipped: { field: 'allow_skipped', word: 'Publish although tasks were skipped' },
  unverified: { field: 'allow_unverified', word: 'Publish although work was accepted unverified' },
} as const
type Allowance = keyof typeof ALLOWANCES

export function PublishDialog({ build, gate, onClose }: PublishDialogProps) {
  const [allowed, setAllowed] = useState<readonly Allowance[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const wanted = (Object.keys(ALLOWANCES) as Allowance[]).filter((name) =>
    gate.reasons.some(({ code }) => code === name),
  )
  const publish = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const body = Object.fromEntries(allowed.map((name) => [ALLOWANCES[name].field, true]))
      onClose(await server.publish({ ...body, project_id: build }))
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  const count = gate.commits.length === 1 ? 'One commit goes' : `${gate.commits.length} commits go`
  const about = (
    <p>
      {count} to {gate.base}, if the gate is open at that moment. A checkout of {gate.base} moves along; nothing of
      yours in it is overwritten.
    </p>
  )
  return (
    <Dialog onClose={() => onClose(null)} title={`Publish to ${gate.base}?`} about={about}>
      <div className="space-y-3">
        {wanted.map((name) => (
          <label key={name} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={allowed.includes(name)}
              onChange={({ target }) =>
                setAllowed(target.checked ? [...allowed, name] : allowed.filter((one) => one !== name))
              }
              className="accent-accent"
            />
            {ALLOWANCES[name].word}
          </label>
        ))}
        {wanted.length > 0 && <p className="text-xs text-soft">What you let pass is recorded with your name.</p>}
        {error !== null && <NotPublished error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onClose(null)}>Cancel</Button>
          <Button look="first" onClick={() => void publish()} isBusy={isBusy}>
            {isBusy ? 'Publishing…' : 'Publish'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Each reason by itself, where the gate gave them. */
function NotPublished({ error }: { readonly error: unknown }) {
  if (!(error instanceof RequestRefused) || error.reasons.length === 0) return <Problem error={error} />
  return (
    <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <p className="font-medium">Not published; the gate has its reasons:</p>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {error.reasons.map(({ what, clear }, index) => (
          <li key={index}>
            <ForeignText text={what} />
            <span className="block text-xs">
              What clears it: <ForeignText text={clear} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
