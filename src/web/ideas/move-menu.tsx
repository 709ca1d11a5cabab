// The way to move an idea without dragging it.
import * as Menu from '@radix-ui/react-dropdown-menu'
import { ArrowRightLeft } from 'lucide-react'
import type { PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaCard } from '../../operations/contract/ideas.ts'
import { firstLine } from '../parts/shown-text.ts'
import { PHASES, startedBy } from '../words/pipeline-words.ts'

interface MoveMenuProps {
  readonly idea: Pick<IdeaCard, 'title' | 'phase' | 'resumes' | 'legal'>
  readonly onMove: (to: PipelinePhase) => void
}

export function MoveMenu({ idea, onMove }: MoveMenuProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={`Move ${firstLine(idea.title, 80)}`}
        title="Move to another phase"
        className="-m-1 shrink-0 rounded-md p-2 text-soft hover:bg-sunken hover:text-ink"
      >
        <ArrowRightLeft size={14} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          align="end"
          collisionPadding={8}
          className="z-30 max-w-[calc(100vw-1rem)] min-w-56 rounded-md border border-line bg-panel p-1 shadow-lg"
        >
          <Menu.Label className="px-2 py-1 text-xs text-soft">Move to</Menu.Label>
          {idea.legal.map((phase) => (
            <Item key={phase} phase={phase} starts={startedBy(idea, phase)} onMove={onMove} />
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

interface ItemProps {
  readonly phase: PipelinePhase
  readonly starts: string | null
  readonly onMove: (to: PipelinePhase) => void
}

function Item({ phase, starts, onMove }: ItemProps) {
  const { icon: Icon, word } = PHASES[phase]
  return (
    <Menu.Item
      onSelect={() => onMove(phase)}
      className="flex max-w-72 cursor-default gap-2 rounded px-2 py-1.5 text-sm outline-none data-highlighted:bg-sunken"
    >
      <Icon size={14} aria-hidden className="mt-0.5 shrink-0 text-soft" />
      <span>
        {word}
        {starts !== null && <span className="block text-xs text-soft">{starts}</span>}
      </span>
    </Menu.Item>
  )
}
