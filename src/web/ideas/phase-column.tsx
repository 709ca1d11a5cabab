// All ideas in one phase; a card that is dragged can be dropped here.
import { type DragEvent, useState } from 'react'
import type { PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaCard as Card } from '../../operations/contract/ideas.ts'
import { Button } from '../parts/button.tsx'
import { PHASES } from '../words/pipeline-words.ts'
import { IdeaCard } from './idea-card.tsx'

/** Deployed ideas grow without end; older ones are a click away. */
const SHOWN_FIRST = 20

interface PhaseColumnProps {
  readonly phase: PipelinePhase
  readonly cards: readonly Card[]
  /** The card that is dragged now. */
  readonly dragged: Card | null
  readonly onDrag: (card: Card | null) => void
  readonly onMove: (card: Card, to: PipelinePhase) => void
  readonly isOfMany: boolean
}

export function PhaseColumn({ phase, cards, dragged, onDrag, onMove, isOfMany }: PhaseColumnProps) {
  const [isOver, setOver] = useState(false)
  const [shown, setShown] = useState(SHOWN_FIRST)
  const { word, icon: Icon, about } = PHASES[phase]
  const isEmpty = cards.length === 0
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    onDrag(null)
    if (dragged !== null) onMove(dragged, phase)
  }
  return (
    <section
      aria-label={`${word}, ${cards.length === 1 ? 'one idea' : `${cards.length} ideas`}`}
      onDragOver={(event) => {
        // Also where the move is illegal: dropping the card there shows the reason.
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`rounded-lg border p-2 ${isEmpty ? 'sm:min-w-28 sm:flex-1' : 'sm:min-w-52 sm:flex-[2]'} ${lookOf(dragged, phase, isOver)}`}
    >
      <h2 className="flex items-center gap-1.5 px-1 text-xs font-semibold">
        <Icon size={14} aria-hidden className="shrink-0 text-soft" />
        {word}
        {!isEmpty && <span className="font-normal text-soft tabular-nums">{cards.length}</span>}
      </h2>
      {isEmpty && <p className="mt-1 px-1 text-xs text-soft">{about}</p>}
      <ul className={isEmpty ? '' : 'mt-2 space-y-2'}>
        {cards.slice(0, shown).map((card) => (
          <li key={`${card.repository}\n${card.id}`}>
            <IdeaCard idea={card} isOfMany={isOfMany} onDrag={onDrag} onMove={(to) => onMove(card, to)} />
          </li>
        ))}
      </ul>
      {cards.length > shown && (
        <div className="mt-2 text-center">
          <Button onClick={() => setShown(shown + SHOWN_FIRST * 5)}>{cards.length - shown} more</Button>
        </div>
      )}
    </section>
  )
}

function lookOf(dragged: Card | null, phase: PipelinePhase, isOver: boolean): string {
  if (dragged === null || dragged.phase === phase) return 'border-transparent bg-sunken'
  if (!dragged.legal.includes(phase))
    return `border-transparent bg-sunken ${isOver ? 'outline-2 outline-bad' : 'opacity-50'}`
  return isOver ? 'border-accent bg-busy-soft' : 'border-dashed border-accent bg-sunken'
}
