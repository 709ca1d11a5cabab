import { memo } from 'react'
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { Task } from '../../core/task/task.ts'
import { Badge } from '../parts/badge.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { StrengthLine } from '../words/strength-line.tsx'
import { Link } from '../router.tsx'
import type { ShownStrength } from '../live-build/fold.ts'
import { phaseWord } from '../words/phase-words.ts'
import { TASK_WORDS } from '../words/status-words.ts'

const EDGES = {
  open: 'border-l-line',
  active: 'border-l-busy',
  waiting: 'border-l-ask',
  done: 'border-l-good',
  skipped: 'border-l-bad',
  split: 'border-l-line',
  deleted: 'border-l-line',
} as const

interface TaskCardProps {
  readonly task: Task
  readonly attempt: Attempt | null
  readonly build: string
  readonly worth: ShownStrength | null
}

function TaskCardDrawn({ task, attempt, build, worth }: TaskCardProps) {
  const error = task.status === 'done' || task.status === 'skipped' ? null : (attempt?.lastError ?? null)
  const phase = task.status === 'active' && attempt !== null ? phaseWord(attempt.phase) : null
  return (
    <Link
      to={{ at: 'task', build, task: task.id, session: null }}
      className={`block rounded-md border border-l-4 border-line bg-panel px-3 py-2 hover:bg-sunken ${EDGES[task.status]}`}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 flex-1 basis-48 font-medium">
          <ForeignText text={task.title} />
        </span>
        {attempt !== null && attempt.number > 1 && <Badge tone="ask" word={`Attempt ${attempt.number}`} />}
        <Badge {...TASK_WORDS[task.status]} />
      </div>
      <div className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-soft">
        <span className="font-mono">{task.id}</span>
        {task.type !== null && <span>{task.type}</span>}
        {phase !== null && <span>{phase}</span>}
        {task.deps.length > 0 && <span className="min-w-0 truncate">after {task.deps.join(', ')}</span>}
      </div>
      {worth !== null && (
        <div className="mt-1 text-xs">
          <StrengthLine strength={worth.strength} sentence={worth.sentence} isShort />
        </div>
      )}
      {error !== null && task.status !== 'waiting' && (
        <p className="mt-1 truncate text-xs text-bad">
          <ForeignText text={firstLine(error)} />
        </p>
      )}
    </Link>
  )
}

/** Facts arrive many times a second; unchanged parts must not be drawn again. */
export const TaskCard = memo(TaskCardDrawn)
