// Shipping: the state of the gate, the evidence, and the button.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DoorClosed, DoorOpen, Rocket } from 'lucide-react'
import { useState } from 'react'
import { removedText } from '../../core/builds/removed-tasks.ts'
import type { Answer } from '../../operations/contract/contract.ts'
import { server } from '../server.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { when } from '../parts/time.ts'
import type { FeedFact, Folded } from '../live-build/fold.ts'
import { DeployOutcome } from './deploy-outcome.tsx'
import { EvidenceTable } from './evidence-table.tsx'
import { GateReasons } from './gate-reasons.tsx'
import { PublishDialog } from './publish-dialog.tsx'

type Gate = Answer<'gate'>
type Published = Answer<'publish'>

interface ShipPanelProps {
  readonly session: Folded
  readonly events: readonly FeedFact[]
}

export function ShipPanel({ session, events }: ShipPanelProps) {
  const { id } = session.build
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [published, setPublished] = useState<Published | null>(null)
  const gate = useQuery({
    // The inputs of the gate; a change asks the gate again.
    queryKey: ['gate', id, session.build.state, session.tasks.map(({ status }) => status).join(), shippedIn(events)],
    queryFn: ({ signal }) => server.gate({ project_id: id }, { signal }),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
  })
  const after = (done: Published | null): void => {
    if (done !== null) setPublished(done)
    setAsking(false)
    void queries.invalidateQueries({ queryKey: ['gate', id] })
  }
  const merged = session.view.completedTasks.length
  const now = gate.data === undefined ? null : standingOf(gate.data)
  return (
    <div className="space-y-4">
      <Panel title="Ship gate" aside={now === null ? null : <Badge {...MARKS[now]} />}>
        {gate.isError && <Problem error={gate.error} onRetry={() => void gate.refetch()} />}
        {gate.isPending && <Loading />}
        {now === 'shipped' && <Shipped base={gate.data?.base ?? ''} events={events} />}
        {gate.data !== undefined && now !== 'shipped' && <Standing gate={gate.data} session={session} />}
        {gate.data !== undefined && now !== 'shipped' && gate.data.commits.length > 0 && (
          <div className="mt-4">
            <Button look={now === 'open' ? 'first' : 'plain'} icon={Rocket} onClick={() => setAsking(true)}>
              Publish to {gate.data.base}
            </Button>
          </div>
        )}
        <DeployOutcome build={id} events={events} published={published} onPublished={after} />
      </Panel>
      <EvidenceTable build={id} merged={merged} />
      {isAsking && gate.data !== undefined && <PublishDialog build={id} gate={gate.data} onClose={after} />}
    </div>
  )
}

/** Also from a terminal. */
function shippedIn(events: readonly FeedFact[]): number {
  return events.filter(({ fact }) => fact.type === 'shipped' || fact.type === 'deployed').length
}

const MARKS = {
  shipped: { tone: 'good', word: 'Shipped', icon: Rocket },
  open: { tone: 'good', word: 'Open', icon: DoorOpen },
  shut: { tone: 'ask', word: 'Shut', icon: DoorClosed },
} as const

function standingOf({ ok, published }: Gate): keyof typeof MARKS {
  if (published) return 'shipped'
  return ok ? 'open' : 'shut'
}

function Standing({ gate, session }: { readonly gate: Gate; readonly session: Folded }) {
  const { base, commits, reasons } = gate
  const count = commits.length === 1 ? 'one commit' : `${commits.length} commits`
  return (
    <div className="space-y-3">
      {gate.ok ? (
        <p>
          Every reason against it is cleared: {count} can go to <b>{base}</b>. Its checks are run once more for that, in
          a clean clone.
        </p>
      ) : (
        <GateReasons reasons={reasons} session={session} />
      )}
      {gate.removed.length > 0 && (
        <p className="text-sm text-soft">Removed from its plan: {firstLine(removedText(gate.removed))}.</p>
      )}
      {gate.base_moved && commits.length > 0 && (
        <p className="text-sm text-soft">
          {base} has moved on since the build began: the two are put together and verified before {base} changes.
        </p>
      )}
    </div>
  )
}

function Shipped({ base, events }: { readonly base: string; readonly events: readonly FeedFact[] }) {
  const event = events.findLast(({ fact }) => fact.type === 'shipped')
  const fact = event?.fact.type === 'shipped' ? event.fact : null
  return (
    <p>
      <b>{base}</b> has everything that this build made.
      {fact !== null && event !== undefined && (
        <span className="block text-sm text-soft">
          Shipped by {fact.by}, {when(event.at)}, as <span className="font-mono">{fact.commit.slice(0, 10)}</span>
          {fact.allowed.length > 0 && `; let pass: ${fact.allowed.join(', ')}`}
          {fact.red !== undefined && `; red: ${fact.red.join(', ')}`}
        </span>
      )}
    </p>
  )
}
