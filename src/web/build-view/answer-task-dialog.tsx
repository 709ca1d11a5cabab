import { Dialog } from '../parts/dialog.tsx'
import type { WaitingDialogProps } from './resolve-task-dialog.tsx'
import { TextForm } from './text-form.tsx'
import { server } from '../server.ts'
import { useAct } from './use-act.ts'

export function AnswerTaskDialog({ onClose, task, build }: WaitingDialogProps) {
  const { act, doing, error } = useAct()
  const send = async (text: string): Promise<void> => {
    const done = await act('answer', () => server.answer({ sessionId: build, text, task_id: task.id }))
    if (done !== null) onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Answer"
      about={<p>The agent tries “{task.title}” again, with your words in every prompt from now on.</p>}
    >
      <TextForm
        label="What should it know?"
        word="Answer and try again"
        busyWord="Sending…"
        isBusy={doing !== null}
        error={error}
        onSend={(text) => void send(text)}
        onCancel={onClose}
      />
    </Dialog>
  )
}
