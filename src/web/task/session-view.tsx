// One agent session: the agent, its cost, and its results.
import { memo, lazy, Suspense } from 'react'
import type { TaskDetail, WireIteration } from '../../operations/contract/task-detail.ts'
import { Badge } from '../parts/badge.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Output, ForeignText } from '../parts/foreign-text.tsx'
import { Link } from '../router.tsx'
import { SESSION_PARTS, type SessionPart, type TaskRoute } from '../route.ts'
import { Evidence } from './evidence.tsx'
import { SessionFigures } from './session-figures.tsx'
import { Transcript } from './transcript.tsx'

const Diff = lazy(() => import('./diff.tsx').then(({ Diff: diff }) => ({ default: diff })))

const WORDS: Readonly<Record<SessionPart, string>> = {
  transcript: 'Transcript',
  diff: 'Diff',
  checks: 'Checks and evidence',
  review: 'Review',
  scratchpad: 'Scratchpad',
}

interface SessionViewProps {
  readonly iteration: WireIteration
  readonly part: SessionPart
  readonly detail: TaskDetail
  readonly route: TaskRoute
}

function SessionViewDrawn({ iteration, part, detail, route }: SessionViewProps) {
  const name = `${iteration.attempt}.${iteration.iteration}`
  return (
    <div className="min-w-0 space-y-4">
      <SessionFigures
        title={`Attempt ${iteration.attempt}, iteration ${iteration.iteration}`}
        aside={<Badge tone="quiet" word={iteration.signal ?? 'no signal'} />}
        session={iteration}
        problem={iteration.error}
      />
      <nav aria-label="Parts of the session" className="flex gap-1 overflow-x-auto border-b border-line">
        {SESSION_PARTS.map((one) => (
          <Link
            key={one}
            to={{ ...route, session: { name, part: one } }}
            isCurrent={one === part}
            className={`-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap ${
              one === part ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink'
            }`}
          >
            {WORDS[one]}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Loading />}>
        <Part iteration={iteration} part={part} detail={detail} route={route} />
      </Suspense>
    </div>
  )
}

function Part({ iteration, part, detail, route }: SessionViewProps) {
  const { attempt } = iteration
  switch (part) {
    case 'transcript':
      return <Transcript key={iteration.id} session={iteration.id} growth="whole" />
    case 'diff':
      return <Diff build={route.build} task={route.task} session={`${attempt}.${iteration.iteration}`} />
    case 'checks':
      return <Checks detail={detail} attempt={attempt} />
    case 'review':
      return <Reviews detail={detail} attempt={attempt} />
    case 'scratchpad':
      return (
        <Panel title="Scratchpad: what it left for the next session">
          {iteration.scratchpad === null ? (
            <p className="text-soft">It left nothing.</p>
          ) : (
            <Output text={iteration.scratchpad} label="Scratchpad" />
          )}
        </Panel>
      )
  }
}

interface OfAttempt {
  readonly detail: TaskDetail
  readonly attempt: number
}

function Checks({ detail, attempt }: OfAttempt) {
  const own = detail.evidence.filter((one) => one.attempt === attempt)
  if (own.length === 0)
    return <p className="text-soft">Attempt {attempt} was not verified: it did not get as far as its checks.</p>
  return (
    <div className="space-y-4">
      {own.toReversed().map((evidence) => (
        <Evidence key={evidence.id} evidence={evidence} />
      ))}
    </div>
  )
}

function Reviews({ detail, attempt }: OfAttempt) {
  const review = detail.reviews.find((one) => one.attempt === attempt)
  if (review === undefined) return <p className="text-soft">Attempt {attempt} was not reviewed.</p>
  const isApproved = review.decision === 'approve'
  return (
    <Panel
      title={review.by === 'rule' ? 'Review, by rule' : 'Review, by the reviewer agent'}
      aside={<Badge tone={isApproved ? 'good' : 'bad'} word={isApproved ? 'Approved' : 'Changes requested'} />}
    >
      <ul className="list-disc space-y-1 pl-5">
        {[...review.requiredFixes, ...review.reasons].map((line) => (
          <li key={line}>
            <ForeignText text={line} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Facts arrive many times a second; unchanged parts must not be drawn again. */
export const SessionView = memo(SessionViewDrawn)
