// One idea on the board: its title, the progress of its build, and a link.
import { Zap } from 'lucide-react'
import type { PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaCard as Card } from '../../operations/contract/ideas.ts'
import { Badge } from '../parts/badge.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { firstLine } from '../parts/shown-text.ts'
import type { Route } from '../route.ts'
import { Link } from '../router.tsx'
import { SESSION_STATUSES } from '../words/status-words.ts'
import { MoveMenu } from './move-menu.tsx'

interface IdeaCardProps {
  readonly idea: Card
  readonly onMove: (to: PipelinePhase) => void
  /** Null: the drag has ended. */
  readonly onDrag: (idea: Card | null) => void
  /** Shows the repository where there are several. */
  readonly isOfMany: boolean
}

export function IdeaCard({ idea, onMove, onDrag, isOfMany }: IdeaCardProps) {
  const next = nextPlace(idea)
  return (
    <article
      aria-label={firstLine(idea.title, 80)}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData('text/plain', idea.id)
        dataTransfer.effectAllowed = 'move'
        onDrag(idea)
      }}
      onDragEnd={() => onDrag(null)}
      className="cursor-grab rounded-md border border-line bg-panel p-2.5 shadow-xs active:cursor-grabbing"
    >
      <div className="flex items-start gap-2">
        <Link to={{ at: 'idea', idea: idea.id }} className="min-w-0 flex-1 font-medium hover:underline">
          <ForeignText text={firstLine(idea.title, 160)} />
        </Link>
        <MoveMenu idea={idea} onMove={onMove} />
      </div>
      {isOfMany && idea.repository !== null && (
        <p className="truncate text-xs text-soft" title={idea.repository}>
          {idea.repository}
        </p>
      )}
      {idea.build !== null && <BuildProgress build={idea.build} />}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-soft">
        {next !== null && <Link to={next.to}>{next.word}</Link>}
        {idea.auto_advance && idea.phase !== 'deployed' && (
          <span
            className="inline-flex items-center gap-1"
            title="A green build goes through the ship gate to the base branch by itself"
          >
            <Zap size={12} aria-hidden /> ships by itself
          </span>
        )}
      </div>
    </article>
  )
}

function BuildProgress({ build }: { readonly build: NonNullable<Card['build']> }) {
  const { total, completed, current, currentAttempt } = build.progress
  return (
    <div className="mt-2 space-y-1">
      <div className="flex flex-wrap items-center justify-between gap-1">
        <Badge {...SESSION_STATUSES[build.status]} />
        <span className="text-xs font-medium tabular-nums">
          {completed} / {total} tasks
        </span>
      </div>
      <progress
        aria-label="Progress of its build"
        value={completed}
        max={Math.max(1, total)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-good [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-good"
      />
      {build.status === 'active' && current !== null && (
        <p className="text-xs text-soft">
          <ForeignText text={firstLine(current, 80)} />
          {currentAttempt > 1 && `, Attempt ${currentAttempt}`}
        </p>
      )}
      {build.status === 'failed' && build.lastError !== null && (
        <p className="text-xs text-bad">
          <ForeignText text={firstLine(build.lastError, 160)} />
        </p>
      )}
    </div>
  )
}

/** The page on which a person can advance the idea. */
export function nextPlace({ id, phase, build }: Card): { readonly to: Route; readonly word: string } | null {
  const plan: Route = { at: 'plan', idea: id }
  switch (phase) {
    case 'ideation':
    case 'ideation_ready':
      return { to: plan, word: 'Make a plan' }
    case 'specification':
      return { to: plan, word: 'Watch the planning' }
    case 'spec_ready':
      return { to: plan, word: 'Look at the plan' }
    case 'building':
    case 'paused':
    case 'failed':
      if (build === null) return { to: plan, word: 'Look at the plan' }
      return { to: { at: 'build', build: build.sessionId, tab: 'tasks' }, word: 'Watch the build' }
    case 'build_review':
    case 'deployed':
      if (build === null) return null
      return {
        to: { at: 'build', build: build.sessionId, tab: 'ship' },
        word: phase === 'deployed' ? 'See what was shipped' : 'Ship it',
      }
  }
}
