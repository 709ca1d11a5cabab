// The result of the deploy command, and the next step where it failed or is unknown.
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../operations/contract/contract.ts'
import { server } from '../server.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { Output, ForeignText } from '../parts/foreign-text.tsx'
import { when } from '../parts/time.ts'
import type { FeedFact } from '../live-build/fold.ts'

type Published = Answer<'publish'>

interface DeployOutcomeProps {
  readonly build: string
  readonly events: readonly FeedFact[]
  /** The answer to this tab; only it has the output. */
  readonly published: Published | null
  readonly onPublished: (published: Published) => void
}

/** Shows nothing where nothing was deployed. */
export function DeployOutcome({ build, events, published, onPublished }: DeployOutcomeProps) {
  const [busy, setBusy] = useState<'again' | 'done' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const last = events.findLast(({ fact }) => fact.type === 'deploying' || fact.type === 'deployed')
  if (last === undefined) return null
  const say = (deploy: 'again' | 'done'): void => {
    setBusy(deploy)
    setError(null)
    server
      .publish({ project_id: build, deploy })
      .then(onPublished, setError)
      .finally(() => setBusy(null))
  }
  const { fact, at } = last
  const isUnknown = fact.type === 'deploying' && busy === null
  const hasFailed = fact.type === 'deployed' && fact.exit !== 0
  const output = fact.type === 'deployed' ? (published?.deployed?.output ?? '') : ''
  return (
    <section aria-label="Deploy" className="mt-4 space-y-2 border-t border-line pt-4">
      <Outcome fact={fact} at={at} />
      {output.trim() !== '' && <Output text={output} label="Output of the deploy command" />}
      {error !== null && <Problem error={error} />}
      {(isUnknown || hasFailed || busy !== null) && (
        <div className="flex flex-wrap gap-2">
          <Button icon={RotateCw} onClick={() => say('again')} isBusy={busy === 'again'} isOff={busy === 'done'}>
            {busy === 'again' ? 'Deploying…' : 'Run the deploy again'}
          </Button>
          {busy !== 'again' && (
            <Button onClick={() => say('done')} isBusy={busy === 'done'}>
              Mark it as deployed
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function Outcome({ fact, at }: Pick<FeedFact, 'fact' | 'at'>) {
  if (fact.type === 'deploying')
    return (
      <p>
        The deploy command was started, {when(at)}: <ForeignText text={fact.command} className="font-mono text-sm" />
        <span className="block text-sm text-soft">
          How it ended is not known. It may still run, or it was cut off; see for yourself before you run it again.
        </span>
      </p>
    )
  if (fact.type !== 'deployed') return null
  if (fact.exit !== 0)
    return (
      <p className="text-bad">
        The deploy command failed (exit {fact.exit ?? 'unknown'}), {when(at)}.
      </p>
    )
  return (
    <p className="text-good">
      {fact.by === null ? 'The deploy command did its work' : `${fact.by} said that the deploy did its work`},{' '}
      {when(at)}.
    </p>
  )
}
