// The agent of a session, its duration and its cost.
import type { ReactNode } from 'react'
import { formatTokens, formatUsd } from '../../core/money/spending.ts'
import type { WireIteration, WireSession } from '../../operations/contract/task-detail.ts'
import { ForeignText } from '../parts/foreign-text.tsx'
import { span, when } from '../parts/time.ts'

interface SessionFiguresProps {
  readonly title: string
  readonly aside: ReactNode
  readonly session: WireIteration | WireSession
  /** Why it was cut off. */
  readonly problem: string | null
}

export function SessionFigures({ title, aside, session, problem }: SessionFiguresProps) {
  const { agent, startedAt, durationMs, inputTokens, outputTokens, costUsd } = session
  const rows: readonly (readonly [string, string])[] = [
    ['Agent', agent],
    ...('model' in session ? ([['Model', session.model ?? "the agent's own choice"]] as const) : []),
    ['Began', when(startedAt)],
    ['Took', span(durationMs)],
    ['Read', formatTokens(inputTokens)],
    ['Wrote', formatTokens(outputTokens)],
    ['Cost', costUsd === null ? 'unknown' : formatUsd(costUsd)],
  ]
  return (
    <section aria-label="Session" className="rounded-lg border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-sm sm:grid-cols-3 lg:grid-cols-4">
        {rows.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-soft">{label}</dt>
            <dd className="truncate tabular-nums">
              <ForeignText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {problem !== null && (
        <p className="mt-2 text-sm text-bad">
          <ForeignText text={problem} />
        </p>
      )}
    </section>
  )
}
