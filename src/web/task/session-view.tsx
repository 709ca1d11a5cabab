// One agent session: who it was, what it cost, and everything it left.
import { memo, lazy, Suspense } from 'react'
import { formatTokens, formatUsd } from '../../core/spending.ts'
import type { TaskDetail, WireIteration } from '../../operations/contract/task-detail.ts'
import { Badge } from '../parts/badge.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Output, Said } from '../parts/said.tsx'
import { span, when } from '../parts/time.ts'
import { Link } from '../router.tsx'
import { SESSION_PARTS, type SessionPart, type TaskRoute } from '../route.ts'
import { Evidence } from './evidence.tsx'
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
      <Figures iteration={iteration} />
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

function Figures({ iteration }: { readonly iteration: WireIteration }) {
  const { agent, model, startedAt, durationMs, inputTokens, outputTokens, costUsd, signal, error } = iteration
  const rows: readonly (readonly [string, string])[] = [
    ['Agent', agent],
    ['Model', model ?? "the agent's own choice"],
    ['Began', when(startedAt)],
    ['Took', span(durationMs)],
    ['Read', formatTokens(inputTokens)],
    ['Wrote', formatTokens(outputTokens)],
    ['Cost', costUsd === null ? 'unknown' : formatUsd(costUsd)],
  ]
  return (
    <section aria-label="Session" className="rounded-lg border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold">
          Attempt {iteration.attempt}, iteration {iteration.iteration}
        </h2>
        <Badge tone="quiet" word={signal ?? 'no signal'} />
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-sm sm:grid-cols-3 lg:grid-cols-4">
        {rows.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-soft">{label}</dt>
            <dd className="truncate tabular-nums">
              <Said text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {error !== null && (
        <p className="mt-2 text-sm text-bad">
          <Said text={error} />
        </p>
      )}
    </section>
  )
}

function Part({ iteration, part, detail, route }: SessionViewProps) {
  const { attempt } = iteration
  switch (part) {
    case 'transcript':
      return <Transcript key={iteration.id} iteration={iteration.id} growth="whole" />
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
            <Said text={line} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A session that is under way: what it has said so far. The rest is there when it ends. */
export function RunningSession({ running }: { readonly running: NonNullable<TaskDetail['running']> }) {
  return (
    <div className="min-w-0 space-y-4">
      <section
        aria-label="Session"
        className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel p-4"
      >
        <h2 className="font-semibold">
          Attempt {running.attempt}, iteration {running.iteration}
        </h2>
        <Badge tone="busy" word="Running" />
      </section>
      <Transcript key={running.id} iteration={running.id} growth="growing" />
    </div>
  )
}

/** Facts come many times a second; what they do not touch is not drawn again. */
export const SessionView = memo(SessionViewDrawn)
