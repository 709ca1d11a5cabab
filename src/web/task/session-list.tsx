// The attempts at a task and the agent sessions in each of them, of whichever role.
import { memo, type ReactNode } from 'react'
import type { SessionRole, TaskDetail, WireIteration, WireSession } from '../../operations/contract/task-detail.ts'
import { formatUsd } from '../../core/money/spending.ts'
import { Badge } from '../parts/badge.tsx'
import { span } from '../parts/time.ts'
import { Link } from '../router.tsx'
import type { TaskRoute } from '../route.ts'
import { ROLE_WORDS } from '../words/role-words.ts'
import { STRENGTH_WORDS } from '../words/strength-words.ts'

interface SessionListProps {
  readonly detail: TaskDetail
  readonly route: TaskRoute
}

function SessionListDrawn({ detail, route }: SessionListProps) {
  const { iterations, asked, running } = detail
  const numbers = new Set([...iterations, ...asked, ...(running === null ? [] : [running])].map((one) => one.attempt))
  return (
    <nav aria-label="Attempts" className="space-y-3">
      <Entry route={{ ...route, session: null }} isCurrent={route.session === null}>
        <span className="font-medium">The task</span>
      </Entry>
      {[...numbers]
        .toSorted((one, other) => one - other)
        .map((attempt) => (
          <div key={attempt}>
            <h2 className="mb-1 flex items-center justify-between px-2 text-xs font-semibold text-soft">
              Attempt {attempt} <AttemptVerdict detail={detail} attempt={attempt} />
            </h2>
            {sessionsOf(detail, attempt).map((one) => {
              const name = nameOf(one)
              const part = 'scratchpad' in one ? (route.session?.part ?? 'transcript') : 'transcript'
              return (
                <Entry
                  key={name}
                  route={{ ...route, session: { name, part } }}
                  isCurrent={route.session?.name === name}
                >
                  <SessionLine session={one} />
                </Entry>
              )
            })}
          </div>
        ))}
      {numbers.size === 0 && <p className="px-2 text-sm text-soft">No agent session has ended yet.</p>}
    </nav>
  )
}

type ListedSession = WireIteration | WireSession | NonNullable<TaskDetail['running']>

/** Each iteration, followed by the sessions about it; the running one comes last. */
function sessionsOf({ iterations, asked, running }: TaskDetail, attempt: number): ListedSession[] {
  const own = [...iterations, ...asked].filter((one) => one.attempt === attempt)
  const inOrder = own.toSorted((one, other) => one.startedAt - other.startedAt)
  return running?.attempt === attempt ? [...inOrder, running] : inOrder
}

interface SessionNumber {
  readonly attempt: number
  readonly iteration: number
  /** Default: the implementer. */
  readonly role?: SessionRole
}

export function nameOf({ attempt, iteration, role = 'implementer' }: SessionNumber): string {
  return role === 'implementer' ? `${attempt}.${iteration}` : `${attempt}.${iteration}.${role}`
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

function SessionLine({ session }: { readonly session: ListedSession }) {
  const number = `${session.attempt}.${session.iteration}`
  const role = 'role' in session ? session.role : 'implementer'
  return (
    <>
      <span className="font-medium tabular-nums">{role === 'implementer' ? number : ROLE_WORDS[role]}</span>{' '}
      {'agent' in session ? <Outcome session={session} /> : <Badge tone="busy" word="running" />}
    </>
  )
}

function Outcome({ session }: { readonly session: WireIteration | WireSession }) {
  const { durationMs, costUsd } = session
  const isFailed = ('error' in session ? session.error : session.failure) !== null
  const word = 'signal' in session ? (session.signal ?? 'no signal') : `of ${session.attempt}.${session.iteration}`
  return (
    <>
      <span className={isFailed ? 'text-bad' : 'text-soft'}>{isFailed ? 'failed' : word}</span>
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
  if (last.verdict === 'green' && last.strength !== null) return <Badge {...STRENGTH_WORDS[last.strength]} />
  const tones = { green: 'good', red: 'bad', unverified: 'ask' } as const
  return <Badge tone={tones[last.verdict]} word={last.verdict} />
}

/** Facts arrive many times a second; unchanged parts must not be drawn again. */
export const SessionList = memo(SessionListDrawn)
