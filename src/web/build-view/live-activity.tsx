// The latest facts.
import { memo } from 'react'
import { taskOf } from '../../core/fact/fact.ts'
import { Panel } from '../parts/panel.tsx'
import { timeOfDay } from '../parts/time.ts'
import { Link } from '../router.tsx'
import type { FeedFact } from '../live-build/fold.ts'
import { factWords } from '../words/fact-words.ts'

const SHOWN = 12

interface LiveActivityProps {
  readonly events: readonly FeedFact[]
  readonly build: string
}

export function LiveActivity({ events, build }: LiveActivityProps) {
  const shown = events.slice(-SHOWN).toReversed()
  return (
    <Panel
      title="Live Activity"
      flush
      aside={
        <Link to={{ at: 'build', build, tab: 'log' }} className="text-xs text-accent hover:underline">
          Everything that happened
        </Link>
      }
    >
      <ol className="divide-y divide-line text-xs" aria-live="polite" aria-relevant="additions">
        {shown.map((event) => (
          <li key={event.seq} className="px-4 py-1.5">
            <FactLine event={event} />
          </li>
        ))}
        {shown.length === 0 && <li className="px-4 py-3 text-soft">Nothing has happened yet.</li>}
      </ol>
    </Panel>
  )
}

const TONES = {
  good: 'text-good',
  bad: 'text-bad',
  busy: 'text-busy',
  ask: 'text-ask',
  calm: 'text-calm',
  quiet: 'text-ink',
} as const

function FactLineDrawn({ event: { at, fact } }: { readonly event: FeedFact }) {
  const { text, tone } = factWords(fact)
  const task = taskOf(fact)
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <time dateTime={new Date(at).toISOString()} className="shrink-0 font-mono text-soft tabular-nums">
        {timeOfDay(at)}
      </time>
      {task !== null && <span className="max-w-40 shrink-0 truncate font-mono text-soft">{task}</span>}
      <span dir="auto" title={text} className={`min-w-0 flex-1 truncate ${TONES[tone]}`}>
        {text}
      </span>
    </span>
  )
}

/** Facts arrive many times a second; unchanged parts must not be drawn again. */
export const FactLine = memo(FactLineDrawn)
