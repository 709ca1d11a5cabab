// The reasons why a build may not ship, each with its remedy and a link.
import { CircleX } from 'lucide-react'
import type { Answer } from '../../operations/contract/contract.ts'
import { CopyLine } from '../parts/copy-line.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import type { Route } from '../route.ts'
import { Link } from '../router.tsx'
import type { Folded } from '../live-build/fold.ts'

type Reason = Answer<'gate'>['reasons'][number]

interface GateReasonsProps {
  readonly reasons: readonly Reason[]
  readonly session: Folded
}

export function GateReasons({ reasons, session }: GateReasonsProps) {
  return (
    <ul aria-label="Reasons against it" className="space-y-3">
      {reasons.map((reason, index) => (
        <li key={index} className="flex gap-2">
          <CircleX size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          <div className="min-w-0 flex-1 space-y-1">
            <p>
              <ForeignText text={reason.what} />
            </p>
            <Way reason={reason} session={session} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Way({ reason, session }: { readonly reason: Reason; readonly session: Folded }) {
  const way = wayOut(reason, session)
  const isCommand = /^(?:ralph|git) /.test(reason.clear) && !reason.clear.includes(', or ')
  const canPass = reason.code === 'skipped' || reason.code === 'unverified'
  return (
    <div className="space-y-1 text-sm">
      <p>
        {way !== null && <Link to={way.to}>{way.word}</Link>}
        {canPass && <span className="text-soft"> You can let it pass when you publish.</span>}
      </p>
      {isCommand ? (
        <div className="max-w-2xl">
          <p className="text-xs text-soft">In a terminal:</p>
          <CopyLine text={reason.clear} label="the command" />
        </div>
      ) : (
        <p className="text-soft">
          <ForeignText text={reason.clear} />
        </p>
      )}
    </div>
  )
}

/** The place on the page that clears or shows it. */
function wayOut(
  { code, what }: Reason,
  { build, tasks }: Folded,
): { readonly to: Route; readonly word: string } | null {
  const named = tasks.find(({ id }) => what.startsWith(`task '${id}' `))
  const task: Route | null = named === undefined ? null : { at: 'task', build: build.id, task: named.id, session: null }
  const of = (tab: 'tasks' | 'timeline'): Route => ({ at: 'build', build: build.id, tab })
  switch (code) {
    case 'waiting':
      return { to: of('tasks'), word: 'Answer, fix, retry or skip it' }
    case 'skipped':
    case 'unverified':
      return task === null ? null : { to: task, word: 'Look at the task' }
    case 'notReady':
      return { to: of('tasks'), word: build.state === 'running' ? 'Watch the build' : 'Go on with the build' }
    case 'noBuild':
    case 'nothingToShip':
      return { to: { at: 'start' }, word: 'Start a build' }
    case 'checks':
    case 'validation':
      return { to: of('timeline'), word: 'See which checks were run' }
    default:
      return null
  }
}
