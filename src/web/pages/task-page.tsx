import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useCallback } from 'react'
import { type Fact, taskOf } from '../../core/fact/fact.ts'
import type { Task } from '../../core/task/task.ts'
import type { TaskDetail } from '../../operations/contract/task-detail.ts'
import { server } from '../server.ts'
import { HumanNeeded } from '../build-view/human-needed.tsx'
import { Badge } from '../parts/badge.tsx'
import { Loading } from '../parts/loading.tsx'
import { Empty } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { StrengthLine } from '../words/strength-line.tsx'
import { Link } from '../router.tsx'
import type { TaskRoute } from '../route.ts'
import type { Folded } from '../live-build/fold.ts'
import { useBuildSession, useLiveSession } from '../live-build/use-build-session.tsx'
import { useRefetchOnFact } from '../live-build/use-refetch-on-fact.ts'
import { useStateInTab } from '../live-build/use-state-in-tab.ts'
import { AskedSession, RunningSession } from '../task/asked-session.tsx'
import { nameOf, SessionList } from '../task/session-list.tsx'
import { SessionView } from '../task/session-view.tsx'
import { TaskOverview } from '../task/task-overview.tsx'
import { phaseWord } from '../words/phase-words.ts'
import { TASK_WORDS } from '../words/status-words.ts'

export function TaskPage({ route }: { readonly route: TaskRoute }) {
  const { session, problem } = useBuildSession()
  const { read } = useLiveSession()
  if (session === null) return problem === null ? <Loading /> : <Problem error={problem} onRetry={() => void read()} />
  const task = session.tasks.find(({ id }) => id === route.task)
  if (task === undefined)
    return (
      <Empty title="This build has no such task">
        <p>
          It may have been split into others:{' '}
          <Link to={{ at: 'build', build: route.build, tab: 'tasks' }}>its tasks</Link>
        </p>
      </Empty>
    )
  return <KnownTask session={session} task={task} route={route} />
}

interface KnownTaskProps {
  readonly session: Folded
  readonly task: Task
  readonly route: TaskRoute
}

function KnownTask({ session, task, route }: KnownTaskProps) {
  useStateInTab(session)
  const detail = useTaskDetail(route)
  const attempt = session.attempts.get(task.id) ?? null
  const worth = session.strengths.get(task.id) ?? null
  return (
    <div className="space-y-4">
      <header>
        <Link
          to={{ at: 'build', build: route.build, tab: 'tasks' }}
          className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
        >
          <ArrowLeft size={14} aria-hidden /> The build
        </Link>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-lg font-semibold">
            <ForeignText text={task.title} />
          </h1>
          <Badge {...TASK_WORDS[task.status]} />
          {attempt !== null && attempt.number > 1 && <Badge tone="ask" word={`Attempt ${attempt.number}`} />}
        </div>
        <p className="text-xs text-soft">
          <span className="font-mono">{task.id}</span>
          {task.type !== null && ` · ${task.type}`}
          {attempt !== null && task.status === 'active' && ` · ${phaseWord(attempt.phase)}`}
        </p>
        {worth !== null && (
          <p className="mt-1 text-sm">
            <StrengthLine strength={worth.strength} sentence={worth.sentence} />
          </p>
        )}
      </header>
      <HumanNeeded session={session} only={task.id} />
      {detail.isError && <Problem error={detail.error} onRetry={() => void detail.refetch()} />}
      {detail.data !== undefined && (
        <div className="grid items-start gap-4 md:grid-cols-[11rem_minmax(0,1fr)]">
          <SessionList detail={detail.data} route={route} />
          <ChosenPart task={task} detail={detail.data} route={route} onTurn={detail.refetch} />
        </div>
      )}
    </div>
  )
}

interface ChosenPartProps {
  readonly task: Task
  readonly detail: TaskDetail
  readonly route: TaskRoute
  /** The list of sessions may have changed. */
  readonly onTurn: () => unknown
}

function ChosenPart({ task, detail, route, onTurn }: ChosenPartProps) {
  const { session } = route
  const ended = detail.iterations.find((one) => nameOf(one) === session?.name)
  if (session !== null && ended !== undefined)
    return <SessionView iteration={ended} part={session.part} detail={detail} route={route} />
  if (session !== null && detail.running !== null && nameOf(detail.running) === session.name)
    return <RunningSession running={detail.running} onTurn={onTurn} />
  const asked = detail.asked.find((one) => nameOf(one) === session?.name)
  if (asked !== undefined) return <AskedSession session={asked} detail={detail} route={route} />
  return <TaskOverview task={task} build={route.build} detail={detail} />
}

const TELLING = new Set<Fact['type']>([
  'iterationStarted',
  'iterationDone',
  'verified',
  'reviewing',
  'reviewed',
  'siaTriggered',
  'intervened',
  'limited',
  'waited',
  'humanNeeded',
])

/** Read again when a step of this task starts or ends. */
function useTaskDetail({ build, task }: TaskRoute) {
  const detail = useQuery({
    queryKey: ['detail', build, task],
    queryFn: ({ signal }) => server.taskDetail({ id: build, task }, { signal }),
    refetchOnMount: 'always',
  })
  const isRelevant = useCallback((fact: Fact) => TELLING.has(fact.type) && taskOf(fact) === task, [task])
  useRefetchOnFact(isRelevant, detail.refetch)
  return detail
}
