import { useState } from 'react'
import type { IdeaCard } from '../../operations/contract/ideas.ts'
import { server } from '../server.ts'
import { TextForm } from '../build-view/text-form.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { RepositoryChoice, useRepository } from '../parts/repository-choice.tsx'

interface NewIdeaDialogProps {
  readonly onClose: () => void
  readonly onMade: (card: IdeaCard) => void
}

export function NewIdeaDialog({ onClose, onMade }: NewIdeaDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isAuto, setAuto] = useState(false)
  const { choice, said } = useRepository()
  const send = async (text: string): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      onMade(await server.addIdea({ text, auto_advance: isAuto, ...said }))
      onClose()
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  const about = (
    <p>Say what you want in your own words; the first line becomes its title. Nothing is started by this.</p>
  )
  return (
    <Dialog onClose={onClose} title="New idea" about={about}>
      <TextForm
        label="What do you want?"
        word="Write it down"
        busyWord="Writing…"
        isBusy={isBusy}
        error={error}
        onSend={(text) => void send(text)}
        onCancel={onClose}
      >
        <RepositoryChoice {...choice} />
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            checked={isAuto}
            onChange={({ target }) => setAuto(target.checked)}
            className="mt-1 accent-accent"
          />
          <span>
            Ship it by itself
            <span className="block text-xs text-soft">
              When its build is complete and the ship gate is open, it goes to the base branch without asking.
            </span>
          </span>
        </label>
      </TextForm>
    </Dialog>
  )
}
