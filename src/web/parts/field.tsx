// A text field with its label above and its error below.
import { type ReactNode, useId } from 'react'

const LOOK = 'w-full rounded-md border border-line bg-page px-3 py-1.5 text-sm'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: ReactNode
  /** Lines; left out: one line. */
  readonly rows?: number
  readonly isMono?: boolean
  readonly lengthMax?: number
  readonly placeholder?: string
}

export function Field({ label, value, onChange, hint, rows, isMono = false, lengthMax, placeholder }: FieldProps) {
  const id = useId()
  const shared = {
    id,
    value,
    placeholder,
    maxLength: lengthMax,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    className: `${LOOK} ${isMono ? 'font-mono text-xs leading-5' : ''}`,
  }
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-soft">
        {label}
      </label>
      {rows === undefined ? (
        <input {...shared} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={({ target }) => onChange(target.value)} />
      )}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1 text-xs text-soft">
          {hint}
        </div>
      )}
    </div>
  )
}
