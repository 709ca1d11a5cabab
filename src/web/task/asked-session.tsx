// Sessions with a transcript only: reviewers and SIA, and the running session.
import type { TaskDetail, WireSession } from '../../operations/contract/task-detail.ts'
import { Badge } from '../parts/badge.tsx'
import { Link } from '../router.tsx'
import type { TaskRoute } from '../route.ts'
import { ROLE_WORDS } from '../words/role-words.ts'
import { SessionFigures } from './session-figures.tsx'
import { Transcript } from './transcript.tsx'

interface AskedSessionProps {
  readonly session: WireSession
  readonly detail: TaskDetail
  readonly route: TaskRoute
}

/** The session of a reviewer or of SIA. */
export function AskedSession({ session, detail, route }: AskedSessionProps) {
  const { id, attempt, iteration, role, failure } = session
  const isReview = role === 'reviewer' && detail.reviews.some((one) => one.attempt === attempt && one.by === 'agent')
  const worked = { name: `${attempt}.${iteration}`, part: 'review' } as const
  return (
    <div className="min-w-0 space-y-4">
      <SessionFigures
        title={`${ROLE_WORDS[role]}, ${aboutOf(session)}`}
        aside={isReview && <Link to={{ ...route, session: worked }}>What came of it</Link>}
        session={session}
        problem={failure === null ? null : `It did not come to its own end: ${failure}.`}
      />
      <Transcript key={id} session={id} growth="whole" />
    </div>
  )
}

interface RunningSessionProps {
  readonly running: NonNullable<TaskDetail['running']>
  /** Another session has begun, or this one is over. */
  readonly onTurn: () => unknown
}

/** The transcript of a running session. The other parts exist when it ends. */
export function RunningSession({ running, onTurn }: RunningSessionProps) {
  const { id, role } = running
  const about = aboutOf(running)
  return (
    <div className="min-w-0 space-y-4">
      <section
        aria-label="Session"
        className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel p-4"
      >
        <h2 className="font-semibold">
          {role === 'implementer' ? `${about[0]?.toUpperCase()}${about.slice(1)}` : `${ROLE_WORDS[role]}, ${about}`}
        </h2>
        <Badge tone="busy" word="Running" />
      </section>
      <Transcript key={id} session={id} growth="growing" onTurn={onTurn} />
    </div>
  )
}

function aboutOf({ attempt, iteration }: Pick<WireSession, 'attempt' | 'iteration'>): string {
  return iteration === 0 ? `attempt ${attempt}` : `attempt ${attempt}, iteration ${iteration}`
}
