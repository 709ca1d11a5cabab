// The dependencies of a task in the editor.
import { X } from 'lucide-react'
import { useId } from 'react'
import type { DraftTask } from './plan-draft.ts'

interface DependenciesProps {
  readonly of: Pick<DraftTask, 'id' | 'dependsOn'>
  readonly others: readonly string[]
  readonly onChange: (dependsOn: readonly string[]) => void
}

export function Dependencies({ of, others, onChange }: DependenciesProps) {
  const id = useId()
  const free = others.filter((other) => other !== of.id && !of.dependsOn.includes(other))
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-soft">
        Depends on
      </label>
      <div className="flex flex-wrap items-center gap-2">
        {of.dependsOn.map((dep) => (
          <span
            key={dep}
            className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-1 pl-2.5 font-mono text-xs ${
              others.includes(dep) ? 'bg-sunken' : 'bg-bad-soft text-bad'
            }`}
          >
            {dep}
            <button
              type="button"
              aria-label={`No longer depend on ${dep}`}
              onClick={() => onChange(of.dependsOn.filter((one) => one !== dep))}
              className="rounded-full p-1 hover:bg-panel"
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
        <select
          id={id}
          value=""
          disabled={free.length === 0}
          onChange={({ target }) => onChange([...of.dependsOn, target.value])}
          className="max-w-full rounded-md border border-line bg-page px-2 py-1 text-xs disabled:opacity-50"
        >
          <option value="">{free.length === 0 ? 'nothing else to wait for' : 'Add…'}</option>
          {free.map((other) => (
            <option key={other}>{other}</option>
          ))}
        </select>
      </div>
    </div>
  )
}
