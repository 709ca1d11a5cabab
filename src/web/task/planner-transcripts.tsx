// The transcripts of several planner sessions, the newest first.
import { type ReactNode, useState } from 'react'
import { Transcript } from './transcript.tsx'

interface PlannerTranscriptsProps {
  readonly title: string
  /** Of sessions, oldest first. */
  readonly ids: readonly [string, ...string[]]
  /** The label of a session. */
  readonly words: (id: string) => string
  /** Whether the newest is running. */
  readonly isNow: boolean
  /** Another session has begun, or the last one is over. */
  readonly onTurn: () => unknown
  readonly aside?: ReactNode
}

export function PlannerTranscripts({ title, ids, words, isNow, onTurn, aside }: PlannerTranscriptsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const newest = ids.at(-1) ?? ids[0]
  const id = chosen !== null && ids.includes(chosen) ? chosen : newest
  return (
    <section aria-label={title} className="min-w-0 space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="flex-1 text-sm font-semibold">{title}</h2>
        {ids.length > 1 && (
          <select
            aria-label="Session of the planner"
            value={id}
            // A view of the newest session follows to the next one.
            onChange={({ target }) => setChosen(target.value === newest ? null : target.value)}
            className="rounded-md border border-line bg-page px-2 py-1.5 text-sm"
          >
            {ids.map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        )}
        {aside}
      </div>
      <Transcript key={id} session={id} growth={isNow && id === newest ? 'growing' : 'whole'} onTurn={onTurn} />
    </section>
  )
}
