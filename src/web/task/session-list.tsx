// The attempts at a task and the agent sessions in each of them.
import { memo, type ReactNode } from 'react'
import type { TaskDetail, WireIteration } from '../../operations/contract/task-detail.ts'
import { formatUsd } from '../../core/spending.ts'
import { Badge } from '../parts/badge.tsx'
import { span } from '../parts/time.ts'
import { Link } from '../router.tsx'
import type { TaskRoute } from '../route.ts'

interface SessionListProps {
  readonly detail: TaskDetail
  readonly route: TaskRoute
}

function SessionListDrawn({ detail, route }: SessionListProps) {
  const attempts = Map.groupBy(detail.iterations, ({ attempt }) => attempt)
  return (
    <nav aria-label="Attempts" className="space-y-3">
      <Entry route={{ ...route, session: null }} isCurrent={route.session === null}>
        <span className="font-medium">The task</span>
      </Entry>
      {[...attempts].map(([attempt, own]) => (
        <div key={attempt}>
          <h2 className="mb-1 flex items-center justify-between px-2 text-xs font-semibold text-soft">
            Attempt {attempt} <AttemptVerdict detail={detail} attempt={attempt} />
          </h2>
          {own.map((one) => {
            const name = nameOf(one)
            const part = route.session?.part ?? 'transcript'
            return (
              <Entry key={name} route={{ ...route, session: { name, part } }} isCurrent={route.session?.name === name}>
                <SessionLine iteration={one} />
              </Entry>
            )
          })}
        </div>
      ))}
      {detail.running !== null && (
        <Entry
          route={{ ...route, session: { name: nameOf(detail.running), part: 'transcript' } }}
          isCurrent={route.session?.name === nameOf(detail.running)}
        >
          <span className="font-medium tabular-nums">{nameOf(detail.running)}</span>{' '}
          <Badge tone="busy" word="running" />
        </Entry>
      )}
      {attempts.size === 0 && detail.running === null && (
        <p className="px-2 text-sm text-soft">No agent session has ended yet.</p>
      )}
    </nav>
  )
}

export function nameOf({ attempt, iteration }: Pick<WireIteration, 'attempt' | 'iteration'>): string {
  return `${attempt}.${iteration}`
}

interface EntryProps {
  readonly route: TaskRoute
  readonly isCurrent: boolean
  readonly children: ReactNode
}

function Entry({ route, isCurrent, children }: EntryProps) {
  return (
    <Link
      to={route}
      isCurrent={isCurrent}
      className={`block rounded-md px-2 py-1.5 text-sm ${isCurrent ? 'bg-busy-soft' : 'hover:bg-sunken'}`}
    >
      {children}
    </Link>
  )
}

function SessionLine({
  iteration: { attempt, iteration, durationMs, costUsd, signal, error },
}: {
  readonly iteration: WireIteration
}) {
  return (
    <>
      <span className="font-medium tabular-nums">
        {attempt}.{iteration}
      </span>{' '}
      <span className={error === null ? 'text-soft' : 'text-bad'}>
        {error === null ? (signal ?? 'no signal') : 'failed'}
      </span>
      <span className="block text-xs text-soft tabular-nums">
        {span(durationMs)}
        {costUsd !== null && ` · ${formatUsd(costUsd)}`}
      </span>
    </>
  )
}

function AttemptVerdict({ detail, attempt }: { readonly detail: TaskDetail; readonly attempt: number }) {
  const last = detail.evidence.findLast((one) => one.attempt === attempt)
  if (last === undefined) return null
  const tones = { green: 'good', red: 'bad', unverified: 'ask' } as const
  return <Badge tone={tones[last.verdict]} word={last.verdict} />
}

/** Facts come many times a second; what they do not touch is not drawn again. */
export const SessionList = memo(SessionListDrawn)
