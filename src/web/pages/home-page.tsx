// Every build of this repository and branch, newest first.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BuildState } from '../../core/builds/build.ts'
import { server } from '../server.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Command, Empty, Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { when } from '../parts/time.ts'
import { Link } from '../router.tsx'
import { useTitle } from '../title.ts'
import { BUILD_STATES, SESSION_STATUSES } from '../words/status-words.ts'

const PAGE = 50
/** News arrive in bursts; the list is read once for each burst. */
const QUIET_MS = 300

export function HomePage() {
  useTitle('Builds', 'idle')
  const builds = useInfiniteQuery({
    queryKey: ['builds'],
    queryFn: ({ pageParam, signal }) =>
      server.builds({ limit: PAGE, ...(pageParam === '' ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  })
  useNews(builds.refetch)
  if (builds.isError) return <Problem error={builds.error} onRetry={() => void builds.refetch()} />
  const rows = builds.data?.pages.flatMap((page) => page.builds) ?? []
  const isMixed = new Set(rows.map(({ repository }) => repository)).size > 1
  if (builds.isSuccess && rows.length === 0) return <NoBuilds />
  return (
    <Panel title="Builds" flush>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={{ at: 'build', build: row.id, tab: 'tasks' }}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-sunken"
            >
              <Standing id={row.id} state={row.state} at={row.lastActivityAt} />
              <span
                dir="auto"
                className="order-first min-w-0 basis-full truncate font-medium sm:order-none sm:flex-1 sm:basis-0"
              >
                {firstLine(row.name, 200)}
              </span>
              <span className="font-mono text-xs text-soft">{row.id}</span>
              {isMixed && <span className="text-xs">{row.repository}</span>}
              <span className="text-xs text-soft">{when(row.lastActivityAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {builds.hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => void builds.fetchNextPage()} isBusy={builds.isFetchingNextPage}>
            Older builds
          </Button>
        </div>
      )}
    </Panel>
  )
}

interface StandingProps {
  readonly id: string
  readonly state: BuildState
  readonly at: number
}

/** Whether an unfinished build waits for a human; there are few of those. */
function Standing({ id, state, at }: StandingProps) {
  const status = useQuery({
    queryKey: ['standing', id, at],
    queryFn: ({ signal }) => server.status({ ideaId: id }, { signal }),
    enabled: state === 'running',
  })
  const asked = status.data?.status === 'human_needed' ? SESSION_STATUSES.human_needed : null
  return <Badge {...(asked ?? BUILD_STATES[state])} />
}

/** A build that starts, moves or ends is news of its idea. */
function useNews(onNews: () => unknown): void {
  useEffect(() => {
    const over = new AbortController()
    let timer = 0
    const follow = async (): Promise<void> => {
      for await (const _ of server.followIdeas({ signal: over.signal })) {
        clearTimeout(timer)
        timer = window.setTimeout(onNews, QUIET_MS)
      }
    }
    // The list itself shows why access is refused.
    follow().catch(() => {})
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [onNews])
}

function NoBuilds() {
  return (
    <Empty title="No build yet">
      <p>
        A build takes tasks one by one to an agent, runs your checks on what it made, and keeps only what they prove.
      </p>
      <p>
        <Link to={{ at: 'start' }}>Say what you want</Link>, or in a terminal:{' '}
        <Command>ralph build "what you want"</Command>
      </p>
    </Empty>
  )
}
