// A transcript. Only the visible part is fetched and drawn, so its length does not matter.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Problem } from '../parts/problem.tsx'
import { TranscriptPage } from './transcript-page.tsx'
import { TranscriptSearch } from './transcript-search.tsx'
import { type Growth, ROWS_PER_PAGE, useOutline } from './use-transcript.ts'

const ROW_HEIGHT = 32

/** Text is open at first, tool calls are not; a row can be toggled. */
export type Openness = 'words' | 'all' | 'none'

interface TranscriptProps {
  readonly session: string
  readonly growth: Growth
  /** Another session has begun beside it, or this one is over. */
  readonly onTurn?: () => unknown
}

export function Transcript({ session, growth, onTurn }: TranscriptProps) {
  const outline = useOutline(session, growth, onTurn)
  if (outline.isError) return <Problem error={outline.error} onRetry={() => void outline.refetch()} />
  if (outline.data === undefined) return <Loading />
  if (outline.data.rows === 0)
    return (
      <p className="p-4 text-soft">
        {growth === 'growing' ? 'The agent has said nothing yet.' : 'The agent said nothing in this session.'}
      </p>
    )
  return <Rows session={session} growth={growth} rows={outline.data.rows} marks={outline.data.marks} />
}

interface RowsProps extends Omit<TranscriptProps, 'onTurn'> {
  readonly rows: number
  readonly marks: readonly number[]
}

function Rows({ session, growth, rows, marks }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const [openness, setOpenness] = useState<Openness>('words')
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set())
  const [current, setCurrent] = useState<number | null>(null)
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  useEffect(() => {
    if (current !== null) virtual.scrollToIndex(current, { align: 'center' })
  }, [current, virtual])
  const [isFollowing, setFollowing] = useState(growth === 'growing')
  useEffect(() => {
    if (isFollowing) virtual.scrollToIndex(rows - 1, { align: 'end' })
  }, [isFollowing, rows, virtual])
  const items = virtual.getVirtualItems()
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / ROWS_PER_PAGE)))]
  const turn = (index: number): void => {
    const next = new Set(turned)
    if (!next.delete(index)) next.add(index)
    setTurned(next)
  }
  const openAll = (wanted: Openness): void => {
    setOpenness(wanted)
    setTurned(new Set())
  }
  return (
    <div className="rounded-lg border border-line bg-panel">
      <div className="flex flex-wrap items-center gap-2 border-b border-line p-2">
        <TranscriptSearch session={session} onRow={setCurrent} />
        <span className="flex-1 text-right text-xs text-soft tabular-nums">
          {rows.toLocaleString('en-US')} {rows === 1 ? 'row' : 'rows'}
        </span>
        {growth === 'growing' && <FollowButton isFollowing={isFollowing} onTurn={setFollowing} />}
        <Button onClick={() => openAll(openness === 'all' ? 'none' : 'all')}>
          {openness === 'all' ? 'Collapse all' : 'Expand all'}
        </Button>
      </div>
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Transcript"
        onWheel={() => setFollowing(false)}
        className="max-h-[65dvh] overflow-auto"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {pages.map((page) => (
            <TranscriptPage
              key={page}
              session={session}
              page={page}
              byte={marks[page] ?? 0}
              count={Math.min(ROWS_PER_PAGE, rows - page * ROWS_PER_PAGE)}
              items={items.filter(({ index }) => Math.floor(index / ROWS_PER_PAGE) === page)}
              measure={virtual.measureElement}
              openness={openness}
              turned={turned}
              onTurn={turn}
              current={current}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface FollowButtonProps {
  readonly isFollowing: boolean
  readonly onTurn: (isFollowing: boolean) => void
}

function FollowButton({ isFollowing, onTurn }: FollowButtonProps) {
  return <Button onClick={() => onTurn(!isFollowing)}>{isFollowing ? 'Stop following' : 'Follow the newest'}</Button>
}
