// A form with one text that an action needs.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'

interface TextFormProps {
  readonly label: string
  readonly word: string
  readonly busyWord: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
  readonly children?: ReactNode
}

export function TextForm({ label, word, busyWord, isBusy, error, onSend, onCancel, children }: TextFormProps) {
  const id = useId()
  const [text, setText] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') onSend(text)
  }
  return (
    <form onSubmit={send} className="space-y-3">
      <div>
        <label htmlFor={id} className="mb-1 block text-sm font-medium">
          {label}
        </label>
        <textarea
          id={id}
          value={text}
          onChange={({ target }) => setText(target.value)}
          rows={4}
          maxLength={65_536}
          required
          className="w-full rounded-md border border-line bg-page px-3 py-2 text-sm"
        />
      </div>
      {children}
      {error !== null && <Problem error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="first" type="submit" isBusy={isBusy} isOff={text.trim() === ''}>
          {isBusy ? busyWord : word}
        </Button>
      </div>
    </form>
  )
}
