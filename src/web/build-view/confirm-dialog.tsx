import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

const QUESTIONS = {
  abort: {
    title: 'Abort this build?',
    about:
      'The agent is stopped at once and the build ends. What was merged stays in its branch; the rest is kept aside.',
    word: 'Abort the build',
  },
  revert: {
    title: 'Revert the last patch?',
    about:
      'A commit that takes the patch back is made, verified and added to the branch. Its task opens again and will be built anew.',
    word: 'Revert it',
  },
} as const

interface ConfirmDialogProps {
  /** Null: the dialog is closed. */
  readonly about: keyof typeof QUESTIONS | null
  readonly onClose: () => void
  readonly onConfirm: () => void
}

export function ConfirmDialog({ about, onClose, onConfirm }: ConfirmDialogProps) {
  if (about === null) return null
  const { title, about: text, word } = QUESTIONS[about]
  return (
    <Dialog onClose={onClose} title={title} about={<p>{text}</p>}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" onClick={onConfirm}>
          {word}
        </Button>
      </div>
    </Dialog>
  )
}
