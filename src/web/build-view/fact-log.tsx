// The log from the first fact to the last; only the visible part is fetched and drawn.
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { server } from '../server.ts'
import { Button } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { feedFactOf } from '../live-build/fold.ts'
import { FactLine } from './live-activity.tsx'

const ROW_HEIGHT = 28
const PAGE = 100
/** A page of facts that is out of view is dropped after a while. */
const KEPT_MS = 20_000

interface FactLogProps {
  readonly build: string
  /** How many there are. */
  readonly last: number
}

export function FactLog({ build, last }: FactLogProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  const virtual = useVirtualizer({
    count: last,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  })
  useEffect(() => {
    if (isFollowing && last > 0) virtual.scrollToIndex(last - 1, { align: 'end' })
  }, [isFollowing, last, virtual])
  const rows = virtual.getVirtualItems()
  const pages = [...new Set(rows.map(({ index }) => Math.floor(index / PAGE)))]
  return (
    <Panel
      title={`Everything that happened (${last.toLocaleString('en-US')})`}
      flush
      aside={
        <Button onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? 'Stop following' : 'Follow the newest'}
        </Button>
      }
    >
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Log"
        onWheel={() => setFollowing(false)}
        className="max-h-[60dvh] overflow-auto text-xs"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {pages.map((page) => (
            <LogPage key={page} build={build} page={page} last={last} rows={rows} />
          ))}
        </div>
      </div>
    </Panel>
  )
}

interface LogPageProps extends FactLogProps {
  readonly page: number
  readonly rows: readonly { readonly index: number; readonly start: number }[]
}

function LogPage({ build, page, last, rows }: LogPageProps) {
  const count = Math.min(PAGE, last - page * PAGE)
  const facts = useQuery({
    // The last page gets a new key when it grows.
    queryKey: ['facts', build, page, count],
    queryFn: async ({ signal }) =>
      (await server.facts({ id: build, after: page * PAGE, limit: PAGE }, { signal })).facts,
    placeholderData: (before) => before,
    gcTime: KEPT_MS,
  })
  return rows
    .filter(({ index }) => Math.floor(index / PAGE) === page)
    .map(({ index, start }) => {
      const found = facts.data?.[index - page * PAGE]
      return (
        <div
          key={index}
          className="absolute inset-x-0 top-0 flex items-center border-b border-line px-4"
          style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
        >
          {found === undefined ? <span className="text-soft">…</span> : <FactLine event={feedFactOf(found)} />}
        </div>
      )
    })
}
