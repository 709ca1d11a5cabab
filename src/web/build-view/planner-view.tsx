// The transcript of a build's planner, also while it works.
import { useQuery } from '@tanstack/react-query'
import type { Fact } from '../../core/fact/fact.ts'
import { server } from '../server.ts'
import { Empty } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import type { Folded } from '../live-build/fold.ts'
import { useRefetchOnFact } from '../live-build/use-refetch-on-fact.ts'
import { PlannerTranscripts } from '../task/planner-transcripts.tsx'

const isRelevant = ({ type }: Fact): boolean => type.startsWith('plann')

export function PlannerView({ session: { build, plannings, isPlanned } }: { readonly session: Folded }) {
  const sessions = useQuery({
    queryKey: ['planner', build.id],
    queryFn: ({ signal }) => server.sessions({ id: build.id, role: 'planner' }, { signal }),
    refetchOnMount: 'always',
  })
  useRefetchOnFact(isRelevant, sessions.refetch)
  if (sessions.isError) return <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />
  if (plannings === 0)
    return (
      <Empty title="No planner was asked">
        <p>What a planner says can be read here as soon as one is asked.</p>
      </Empty>
    )
  const known = sessions.data?.sessions.map(({ id }) => id) ?? []
  // A session that has just started has an attempt before it has a transcript.
  const last = `${build.id}.${plannings}.`
  const others = known.filter((id) => !id.startsWith(last))
  const own = known.filter((id) => id.startsWith(last))
  const [first = `${last}1.planner`, ...more] = [...others, ...(own.length === 0 ? [`${last}1.planner`] : own)]
  return (
    <PlannerTranscripts
      title={isPlanned ? 'What the planner said' : 'What the planner says'}
      ids={[first, ...more]}
      words={wordsOf}
      isNow={!isPlanned}
      onTurn={sessions.refetch}
    />
  )
}

/** Ends in `.ATTEMPT.TURN.planner`. */
function wordsOf(id: string): string {
  const [attempt, turn] = id.split('.').slice(-3)
  return turn === '1' ? `Attempt ${attempt}` : `Attempt ${attempt}, asked again`
}
