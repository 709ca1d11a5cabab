// The pipeline: every idea of this repository and branch, by phase, as it changes.
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PIPELINE_PHASES, type PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaCard } from '../../operations/contract/ideas.ts'
import { MoveDialog } from '../ideas/move-dialog.tsx'
import { NewIdeaDialog } from '../ideas/new-idea-dialog.tsx'
import { PhaseColumn } from '../ideas/phase-column.tsx'
import { useBoard } from '../ideas/use-board.ts'
import { useMoves } from '../ideas/use-moves.ts'
import { Button } from '../parts/button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Empty } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Link } from '../router.tsx'
import { type IconName, useTitle } from '../title.ts'

export function IdeasPage() {
  const { cards, isWhole, problem, put, readAgain } = useBoard()
  const moves = useMoves(put)
  const [isNew, setNew] = useState(false)
  useTitle('Ideas', iconOf(cards ?? []))
  if (problem !== null) return <Problem error={problem} onRetry={readAgain} />
  if (cards === null) return <Loading />
  const add = (
    <Button look="first" icon={Plus} onClick={() => setNew(true)}>
      New idea
    </Button>
  )
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-base font-semibold">Pipeline</h1>
        {cards.length > 0 && add}
      </div>
      {cards.length === 0 ? <NoIdeas add={add} /> : <Board cards={cards} onMove={moves.want} />}
      {!isWhole && <p className="mt-3 text-xs text-soft">Only the newest 1,000 ideas are shown.</p>}
      <MoveDialog moves={moves} />
      {isNew && <NewIdeaDialog onClose={() => setNew(false)} onMade={put} />}
    </>
  )
}

interface BoardProps {
  readonly cards: readonly IdeaCard[]
  readonly onMove: ReturnType<typeof useMoves>['want']
}

function Board({ cards, onMove }: BoardProps) {
  const [dragged, setDragged] = useState<IdeaCard | null>(null)
  const byPhase = Map.groupBy(cards, ({ phase }) => phase)
  const isOfMany = new Set(cards.map(({ repository }) => repository)).size > 1
  const columns = (phases: readonly PipelinePhase[]): ReactNode =>
    phases.map((phase) => (
      <PhaseColumn
        key={phase}
        phase={phase}
        cards={byPhase.get(phase) ?? []}
        dragged={dragged}
        onDrag={setDragged}
        onMove={onMove}
        isOfMany={isOfMany}
      />
    ))
  return (
    <div className="space-y-2">
      <div
        role="region"
        aria-label="Ideas by phase"
        tabIndex={0}
        className="flex flex-col gap-2 sm:min-h-64 sm:flex-row sm:items-stretch sm:overflow-x-auto"
      >
        {columns(PIPELINE_PHASES.filter((phase) => !ASIDE.includes(phase)))}
      </div>
      <div className="flex flex-col gap-2 sm:flex-row sm:items-stretch">{columns(ASIDE)}</div>
    </div>
  )
}

/** Phases outside the pipeline. */
const ASIDE: readonly PipelinePhase[] = ['paused', 'failed']

function NoIdeas({ add }: { readonly add: ReactNode }) {
  return (
    <Empty title="No idea yet">
      <p>
        An idea is what somebody wants, in words. It travels from left to right: a planner makes tasks of it, agents
        build them, checks prove them, and what is proved is shipped.
      </p>
      <div className="pt-2">{add}</div>
      <p>
        In a hurry? <Link to={{ at: 'start' }}>Start</Link> makes a plan at once.
      </p>
    </Empty>
  )
}

/** Ideas that need a person come before running ones. */
function iconOf(cards: readonly IdeaCard[]): IconName {
  const statuses = cards.map(({ build }) => build?.status)
  if (statuses.includes('human_needed')) return 'asking'
  return statuses.includes('active') ? 'running' : 'idle'
}
