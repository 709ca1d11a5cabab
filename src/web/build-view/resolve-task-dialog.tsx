// "I've fixed it": the folder of the task, a description of the fix, and the checks that must pass.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shellWord } from '../../core/values/shell-word.ts'
import type { Task } from '../../core/task/task.ts'
import { problemText, server } from '../server.ts'
import { CopyLine } from '../parts/copy-line.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextForm } from './text-form.tsx'
import { useAct } from './use-act.ts'

export interface WaitingDialogProps {
  readonly onClose: () => void
  readonly task: Task
  readonly build: string
}

export function ResolveTaskDialog({ onClose, task, build }: WaitingDialogProps) {
  const { act, doing, error } = useAct()
  const [isUnverified, setUnverified] = useState(false)
  const send = async (resolution: string): Promise<void> => {
    const input = { sessionId: build, resolution, task_id: task.id, unverified: isUnverified }
    if ((await act('resolve', () => server.resolve(input))) !== null) onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="I've fixed it"
      about={
        <>
          <p>
            Make “{task.title}” work in its folder, then say what you did. Your fix is verified before it is merged.
          </p>
          <Folder build={build} task={task.id} />
        </>
      }
    >
      <TextForm
        label="What did you do?"
        word="Verify and merge"
        busyWord="Verifying…"
        isBusy={doing !== null}
        error={error}
        onSend={(text) => void send(text)}
        onCancel={onClose}
      >
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            checked={isUnverified}
            onChange={({ target }) => setUnverified(target.checked)}
            className="mt-1"
          />
          <span>
            Take it on my word, without checks. <span className="text-soft">Shipping will ask about it.</span>
          </span>
        </label>
      </TextForm>
    </Dialog>
  )
}

function Folder({ build, task }: { readonly build: string; readonly task: string }) {
  const detail = useQuery({
    queryKey: ['detail', build, task],
    queryFn: ({ signal }) => server.taskDetail({ id: build, task }, { signal }),
    refetchOnMount: 'always',
  })
  if (detail.data === undefined) return <p>{detail.isError ? problemText(detail.error) : 'Looking for its folder…'}</p>
  if (detail.data.folder === null) return <p>It has no folder yet; 'ralph open {task}' makes one.</p>
  return <CopyLine text={`cd ${shellWord(detail.data.folder)}`} label="the folder" />
}
