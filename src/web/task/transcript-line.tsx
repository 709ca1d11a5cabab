import {
  Bot,
  Brain,
  ChartBar,
  ChevronDown,
  ChevronRight,
  CornerDownRight,
  type LucideIcon,
  Terminal,
  Wrench,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TranscriptRow } from '../../operations/contract/task-detail.ts'
import { firstLine, SHOWN_LENGTH_MAX, shownText } from '../parts/shown-text.ts'
import { timeOfDay } from '../parts/time.ts'
import { useWholeText } from './use-transcript.ts'

const KINDS: Readonly<Record<TranscriptRow['type'], { readonly word: string; readonly icon: LucideIcon }>> = {
  text: { word: 'says', icon: Bot },
  thinking: { word: 'thinks', icon: Brain },
  log: { word: 'log', icon: Terminal },
  toolUse: { word: 'uses', icon: Wrench },
  toolResult: { word: 'result', icon: CornerDownRight },
  usage: { word: 'used', icon: ChartBar },
  unknown: { word: 'other', icon: Terminal },
}

interface TranscriptLineProps {
  readonly session: string
  readonly row: TranscriptRow
  readonly isOpen: boolean
  readonly onTurn: () => void
}

export function TranscriptLine({ session, row, isOpen, onTurn }: TranscriptLineProps) {
  const { word, icon: Icon } = KINDS[row.type]
  const Turn = isOpen ? ChevronDown : ChevronRight
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onTurn}
        className="flex w-full items-center gap-2 px-3 py-1.5 text-left text-xs leading-5 hover:bg-sunken"
      >
        <Turn size={12} aria-hidden className="shrink-0 text-soft" />
        <Icon size={13} aria-hidden className={`shrink-0 ${row.isError ? 'text-bad' : 'text-soft'}`} />
        <span className={`shrink-0 font-medium ${row.isError ? 'text-bad' : ''}`}>
          {word}
          {row.tool !== null && ` ${shownText(row.tool)}`}
          {row.isError && ' (error)'}
        </span>
        <span dir="auto" className="min-w-0 flex-1 truncate text-soft">
          {isOpen ? '' : firstLine(row.text)}
        </span>
        {row.at !== null && (
          <span className="shrink-0 font-mono text-soft tabular-nums">{timeOfDay(Date.parse(row.at))}</span>
        )}
      </button>
      {isOpen && <Text session={session} row={row} />}
    </div>
  )
}

function Text({ session, row }: Pick<TranscriptLineProps, 'session' | 'row'>) {
  const [isWanted, setWanted] = useState(false)
  const whole = useWholeText(session, row.byte, SHOWN_LENGTH_MAX, { now: isWanted })
  const text = whole.data ?? row.text
  const shown = useMemo(() => shownText(text), [text])
  const isCode = row.type !== 'text' && row.type !== 'thinking'
  return (
    <div className={`px-3 pb-2 pl-10 ${isCode ? 'font-mono text-xs' : 'text-sm'} leading-5`}>
      <div dir="auto" className="said">
        {shown}
      </div>
      {row.length > text.length && !isWanted && (
        <button type="button" onClick={() => setWanted(true)} className="mt-1 text-xs text-accent hover:underline">
          Show all ({row.length.toLocaleString('en-US')} characters)
        </button>
      )}
    </div>
  )
}
