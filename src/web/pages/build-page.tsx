import { lazy, Suspense } from 'react'
import { BuildProgressView } from '../build-view/build-progress-view.tsx'
import { FactLog } from '../build-view/fact-log.tsx'
import { TaskList } from '../build-view/task-list.tsx'
import { Timeline } from '../build-view/timeline.tsx'
import { Loading } from '../parts/loading.tsx'
import { Empty } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import type { BuildTab } from '../route.ts'
import type { FeedFact, Folded } from '../live-build/fold.ts'
import { useBuildSession, useLiveSession } from '../live-build/use-build-session.tsx'

const TaskGraph = lazy(() =>
  import('../build-view/task-graph.tsx').then(({ TaskGraph: graph }) => ({ default: graph })),
)
const PlannerView = lazy(() =>
  import('../build-view/planner-view.tsx').then(({ PlannerView: view }) => ({ default: view })),
)
const ShipPanel = lazy(() => import('../ship/ship-panel.tsx').then(({ ShipPanel: panel }) => ({ default: panel })))

export function BuildPage({ tab }: { readonly tab: BuildTab }) {
  const now = useBuildSession()
  const { read } = useLiveSession()
  if (now.session === null && now.isUnstarted) return <Unstarted />
  if (now.session === null)
    return now.problem === null ? <Loading /> : <Problem error={now.problem} onRetry={() => void read()} />
  return (
    <BuildProgressView {...now} session={now.session} tab={tab}>
      <Suspense fallback={<Loading />}>
        <TabContent tab={tab} session={now.session} events={now.events} />
      </Suspense>
    </BuildProgressView>
  )
}

function Unstarted() {
  return (
    <Empty title="Not started yet">
      <p>This idea has no build. When one is started, it appears here by itself.</p>
    </Empty>
  )
}

interface TabContentProps {
  readonly tab: BuildTab
  readonly session: Folded
  readonly events: readonly FeedFact[]
}

function TabContent({ tab, session, events }: TabContentProps) {
  switch (tab) {
    case 'tasks':
      if (session.isPlanned || session.plannings === 0) return <TaskList session={session} />
      return (
        <div className="min-w-0 space-y-4">
          <TaskList session={session} />
          <PlannerView session={session} />
        </div>
      )
    case 'graph':
      return <TaskGraph session={session} />
    case 'timeline':
      return <Timeline session={session} />
    case 'log':
      return <FactLog build={session.build.id} last={session.seq} />
    case 'planning':
      return <PlannerView session={session} />
    case 'ship':
      return <ShipPanel session={session} events={events} />
  }
}
