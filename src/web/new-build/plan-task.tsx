// One task of a plan: a line that opens into all its fields.
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, type LucideIcon, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { GraphFault } from '../../core/plan/build-graph.ts'
import { TASK_TYPES } from '../../core/task/task.ts'
import { Badge } from '../parts/badge.tsx'
import { Field } from '../parts/field.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { Dependencies } from './dependencies.tsx'
import type { DraftTask } from './plan-draft.ts'

interface PlanTaskProps {
  readonly task: DraftTask
  readonly number: number
  readonly count: number
  /** Ids that it may depend on. */
  readonly others: readonly string[]
  readonly faults: readonly GraphFault[]
  readonly isOpen: boolean
  readonly onTurn: () => void
  readonly onChange: (change: Partial<Omit<DraftTask, 'key'>>) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

export function PlanTask({ task, number, count, faults, isOpen, ...rest }: PlanTaskProps) {
  const name = firstLine(task.title, 60) || task.id
  const Turn = isOpen ? ChevronDown : ChevronRight
  return (
    <li aria-label={`Task ${number}`} className="rounded-lg border border-line bg-panel">
      <div className="flex items-start gap-1 p-2 sm:p-3">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={rest.onTurn}
          className="flex min-w-0 flex-1 items-start gap-2 rounded-md text-left"
        >
          <Turn size={16} aria-hidden className="mt-1 shrink-0 text-soft" />
          <span className="min-w-0">
            <span className="font-medium">
              {number}. {name}
            </span>
            <Summary task={task} faults={faults.length} />
          </span>
        </button>
        <Small icon={ArrowUp} label={`Move ${name} up`} onClick={() => rest.onMove(-1)} isOff={number === 1} />
        <Small icon={ArrowDown} label={`Move ${name} down`} onClick={() => rest.onMove(1)} isOff={number === count} />
        <Small icon={Trash2} label={`Remove ${name}`} onClick={rest.onRemove} isOff={false} />
      </div>
      {faults.length > 0 && (
        <div role="alert" className="mx-3 mb-3 space-y-0.5 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
          {faults.map(({ what }) => (
            <p key={what}>
              <ForeignText text={what} />
            </p>
          ))}
        </div>
      )}
      {isOpen && <TaskFields task={task} others={rest.others} onChange={rest.onChange} />}
    </li>
  )
}

function Summary({ task, faults }: { readonly task: DraftTask; readonly faults: number }) {
  return (
    <span className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
      <span className="font-mono">{task.id}</span>
      {task.type !== null && <Badge tone="quiet" word={task.type} />}
      {task.dependsOn.length > 0 && <span>after {task.dependsOn.join(', ')}</span>}
      {faults > 0 && <Badge tone="bad" word={faults === 1 ? '1 problem' : `${faults} problems`} />}
    </span>
  )
}

type TaskFieldsProps = Pick<PlanTaskProps, 'task' | 'others' | 'onChange'>

function TaskFields({ task, others, onChange }: TaskFieldsProps) {
  const type = useId()
  return (
    <div className="grid gap-3 border-t border-line p-3 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field label="Title" value={task.title} onChange={(title) => onChange({ title })} lengthMax={500} />
      </div>
      <Field label="Id" value={task.id} onChange={(id) => onChange({ id })} isMono lengthMax={64} />
      <div>
        <label htmlFor={type} className="mb-1 block text-xs font-medium text-soft">
          Type
        </label>
        <select
          id={type}
          value={task.type ?? ''}
          onChange={({ target }) => onChange({ type: TASK_TYPES.find((one) => one === target.value) ?? null })}
          className="w-full rounded-md border border-line bg-page px-3 py-1.5 text-sm"
        >
          <option value="">none</option>
          {TASK_TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      <div className="sm:col-span-2">
        <Field label="Goal" value={task.goal} onChange={(goal) => onChange({ goal })} rows={3} lengthMax={65_536} />
      </div>
      <Field
        label="Acceptance, one per line"
        value={task.acceptance}
        onChange={(acceptance) => onChange({ acceptance })}
        rows={4}
        hint="How anybody can tell that it is done."
      />
      <Field
        label="Files it should touch, one per line"
        value={task.files}
        onChange={(files) => onChange({ files })}
        rows={4}
        isMono
      />
      <div className="sm:col-span-2">
        <Dependencies of={task} others={others} onChange={(dependsOn) => onChange({ dependsOn })} />
      </div>
    </div>
  )
}

interface SmallProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly onClick: () => void
  readonly isOff: boolean
}

function Small({ icon: Icon, label, onClick, isOff }: SmallProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={isOff}
      className="shrink-0 rounded-md p-1.5 text-soft hover:bg-sunken hover:text-ink disabled:opacity-30"
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}
