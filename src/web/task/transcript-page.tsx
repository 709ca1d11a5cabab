// A hundred rows of a transcript; only the visible ones are drawn.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { TranscriptRow } from '../../operations/contract/task-detail.ts'
import type { Openness } from './transcript.tsx'
import { problemText } from '../server.ts'
import { TranscriptLine } from './transcript-line.tsx'
import { ROWS_PER_PAGE, useRows } from './use-transcript.ts'

interface TranscriptPageProps {
  readonly session: string
  readonly page: number
  /** Where its first row begins. */
  readonly byte: number
  /** How many rows it has. */
  readonly count: number
  readonly items: readonly VirtualItem[]
  readonly measure: (element: Element | null) => void
  readonly openness: Openness
  readonly turned: ReadonlySet<number>
  readonly onTurn: (index: number) => void
  readonly current: number | null
}

export function TranscriptPage({ session, page, byte, count, items, measure, ...view }: TranscriptPageProps) {
  const { openness, turned, onTurn, current } = view
  const rows = useRows(session, page, byte, count)
  return items.map(({ index, start, key }) => {
    const row = rows.data?.[index - page * ROWS_PER_PAGE]
    return (
      <div
        key={key}
        data-index={index}
        // A row that is not there yet has no height of its own.
        ref={row === undefined ? null : measure}
        className={`absolute inset-x-0 top-0 border-b border-line ${index === current ? 'bg-ask-soft' : ''}`}
        style={{ transform: `translateY(${start}px)` }}
      >
        {row === undefined ? (
          <p className="px-3 py-1.5 text-xs text-soft">{rows.isError ? problemText(rows.error) : '…'}</p>
        ) : (
          <TranscriptLine
            session={session}
            row={row}
            isOpen={isOpenAtFirst(row, openness) !== turned.has(index)}
            onTurn={() => onTurn(index)}
          />
        )}
      </div>
    )
  })
}

function isOpenAtFirst({ type }: TranscriptRow, openness: Openness): boolean {
  return openness === 'words' ? type === 'text' : openness === 'all'
}
