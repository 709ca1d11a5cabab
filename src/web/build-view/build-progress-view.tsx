// One build: its status, its questions to a person, its tasks, and its latest facts.
import type { ReactNode } from 'react'
import type { RequestRefused } from '../../operations/contract/client.ts'
import { Problem } from '../parts/problem.tsx'
import { Link } from '../router.tsx'
import type { BuildTab } from '../route.ts'
import type { ConnectionState } from '../../operations/contract/client-feed.ts'
import type { FeedFact, Folded } from '../live-build/fold.ts'
import { useStateInTab } from '../live-build/use-state-in-tab.ts'
import { BuildHeader } from './build-header.tsx'
import { HumanNeeded } from './human-needed.tsx'
import { LiveActivity } from './live-activity.tsx'

const TABS: readonly { readonly tab: BuildTab; readonly word: string }[] = [
  { tab: 'tasks', word: 'Tasks' },
  { tab: 'graph', word: 'Graph' },
  { tab: 'timeline', word: 'Build Timeline' },
  { tab: 'log', word: 'Log' },
  { tab: 'planning', word: 'Planning' },
  { tab: 'ship', word: 'Ship' },
]

interface BuildProgressViewProps {
  readonly session: Folded
  readonly events: readonly FeedFact[]
  readonly connection: ConnectionState
  readonly problem: RequestRefused | null
  readonly tab: BuildTab
  readonly children: ReactNode
}

export function BuildProgressView({ session, events, connection, problem, tab, children }: BuildProgressViewProps) {
  useStateInTab(session)
  const { id } = session.build
  return (
    <div className="space-y-4">
      {problem !== null && <Problem error={problem} />}
      <BuildHeader session={session} connection={connection} />
      <HumanNeeded session={session} />
      <nav aria-label="Parts of the build" className="flex gap-1 overflow-x-auto border-b border-line">
        {TABS.filter(({ tab: name }) => name !== 'planning' || session.plannings > 0).map(({ tab: name, word }) => (
          <Link
            key={name}
            to={{ at: 'build', build: id, tab: name }}
            isCurrent={name === tab}
            className={`-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap ${
              name === tab ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink'
            }`}
          >
            {word}
          </Link>
        ))}
      </nav>
      {tab === 'tasks' ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {children}
          <div className="min-w-0 lg:sticky lg:top-16">
            <LiveActivity events={events} build={id} />
          </div>
        </div>
      ) : (
        children
      )}
    </div>
  )
}
