// The status of the build at a glance.
import type { ReactNode } from 'react'
import { isOver } from '../../core/builds/build.ts'
import { STRENGTHS } from '../../core/fact/strength.ts'
import { formatTokens, formatUsd, tokensOf } from '../../core/money/spending.ts'
import { Badge } from '../parts/badge.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { capitalised } from '../parts/shown-text.ts'
import { span } from '../parts/time.ts'
import { useNow } from '../parts/use-now.ts'
import type { ConnectionState } from '../../operations/contract/client-feed.ts'
import type { Folded } from '../live-build/fold.ts'
import { SESSION_STATUSES } from '../words/status-words.ts'
import { Controls } from './controls.tsx'

export function BuildHeader({
  session,
  connection,
}: {
  readonly session: Folded
  readonly connection: ConnectionState
}) {
  const { build, view, tasks, used, interventions } = session
  const done = view.completedTasks.length
  const worth = strengthCounts(session)
  const words =
    build.state === 'aborted' ? { ...SESSION_STATUSES.failed, word: 'Aborted' } : SESSION_STATUSES[view.status]
  return (
    <section aria-label="Build" className="rounded-lg border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-base font-semibold">
          <ForeignText text={capitalised(session.name)} />
        </h1>
        <span className="font-mono text-xs text-soft">{build.id}</span>
        <span className="flex-1" />
        <ConnectionMark connection={connection} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <Badge {...words} />
        <span className="font-medium tabular-nums">
          {done} / {tasks.length} tasks
        </span>
        {worth !== '' && <Figure label="Evidence" value={worth} />}
        <Figure label="Elapsed" value={<Elapsed session={session} />} />
        <Figure label="Cost" value={costOf(session)} />
        {tokensOf(used) > 0 && <Figure label="Used" value={formatTokens(tokensOf(used))} />}
        {interventions > 0 && <Figure label="SIA interventions" value={String(interventions)} />}
      </div>
      <Progress done={done} total={tasks.length} />
      {build.lastError !== null && build.state === 'failed' && (
        <p className="mt-2 text-sm text-bad">
          <ForeignText text={build.lastError} />
        </p>
      )}
      <div className="mt-3">
        <Controls session={session} />
      </div>
    </section>
  )
}

/** `3 proved, 1 kept, 1 thin` */
function strengthCounts({ strengths }: Folded): string {
  const all = [...strengths.values()].map(({ strength }) => strength)
  return STRENGTHS.flatMap((one) => {
    const number = all.filter((strength) => strength === one).length
    return number === 0 ? [] : [`${number} ${one}`]
  }).join(', ')
}

function Figure({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <span className="text-soft">
      {label} <span className="font-medium text-ink tabular-nums">{value}</span>
    </span>
  )
}

/** Until now while it runs, else until it stopped. */
function Elapsed({ session: { build } }: { readonly session: Folded }) {
  const now = useNow(isOver(build.state) || build.state !== 'running' ? null : 1_000)
  return span((now ?? build.lastActivityAt) - build.startedAt)
}

function costOf({ used }: Folded): string {
  return used.costUsd === null ? 'unknown' : formatUsd(used.costUsd)
}

function Progress({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <progress
      aria-label="Progress"
      value={done}
      max={Math.max(1, total)}
      className="mt-2 h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-good [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-good"
    />
  )
}

const CONNECTIONS = {
  live: { word: 'Live', dot: 'bg-good' },
  connecting: { word: 'Connecting…', dot: 'bg-ask' },
  lost: { word: 'Connection lost, trying again', dot: 'bg-bad' },
} as const

function ConnectionMark({ connection }: { readonly connection: ConnectionState }) {
  const { word, dot } = CONNECTIONS[connection]
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs text-soft">
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      {word}
    </span>
  )
}
