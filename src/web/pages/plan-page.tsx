// The plan of an idea: its words, the running planner, the plan, or the build.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { WirePlan } from '../../operations/contract/plans.ts'
import { server } from '../server.ts'
import { followIdeas } from '../ideas/live-board.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Loading } from '../parts/loading.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Output, ForeignText } from '../parts/foreign-text.tsx'
import { firstLine } from '../parts/shown-text.ts'
import { Link } from '../router.tsx'
import { PlanEditor } from '../new-build/plan-editor.tsx'
import { PlannerWords } from '../new-build/planner-words.tsx'
import { Planning } from '../new-build/planning.tsx'
import { WordsForm } from '../new-build/words-form.tsx'
import { useTitle } from '../title.ts'
import { PHASES } from '../words/pipeline-words.ts'

export function PlanPage({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const key = ['plan', id]
  const {
    data: plan,
    error,
    refetch,
  } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => server.plan({ id }, { signal }),
    refetchOnMount: 'always',
  })
  const since = plan?.updated_at
  useEffect(() => {
    if (since === undefined) return
    const over = new AbortController()
    const tell = (card: { readonly id: string; readonly updated_at: number }): void => {
      if (card.id === id && card.updated_at > since) void refetch()
    }
    followIdeas(since, tell, over.signal).catch(() => {})
    return () => over.abort()
  }, [id, since, refetch])
  useTitle(plan === undefined ? 'Plan' : `Plan: ${firstLine(plan.title, 60)}`, iconOf(plan))
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (plan === undefined) return <Loading />
  const { word, tone, icon } = PHASES[plan.phase]
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-base font-semibold">
          <ForeignText text={firstLine(plan.title, 200)} />
        </h1>
        <Badge tone={tone} word={word} icon={icon} />
        <Link to={{ at: 'idea', idea: id }}>About this idea</Link>
      </div>
      <Stage plan={plan} onChanged={() => void refetch()} onSaved={(saved) => queries.setQueryData(key, saved)} />
    </div>
  )
}

function iconOf(plan: WirePlan | undefined): 'idle' | 'running' | 'failed' {
  if (plan?.phase === 'failed') return 'failed'
  return plan?.phase === 'specification' ? 'running' : 'idle'
}

interface StageProps {
  readonly plan: WirePlan
  readonly onChanged: () => void
  readonly onSaved: (plan: WirePlan) => void
}

function Stage({ plan, onChanged, onSaved }: StageProps) {
  switch (plan.phase) {
    case 'ideation':
    case 'ideation_ready':
      return <Words plan={plan} onChanged={onChanged} />
    case 'specification':
      return <Planning plan={plan} onStopped={onChanged} onTurn={onChanged} />
    case 'spec_ready':
      if (plan.tasks === null) return <Unplanned plan={plan} onChanged={onChanged} />
      return (
        <>
          <PlanEditor plan={plan} onSaved={onSaved} onPlanAgain={() => move(plan, 'specification').then(onChanged)} />
          <PlannerWords plan={plan} onTurn={onChanged} />
        </>
      )
    case 'failed':
      if (plan.build_id === null) return <Words plan={plan} onChanged={onChanged} />
      return <Built plan={plan} />
    case 'building':
    case 'build_review':
    case 'deployed':
    case 'paused':
      return <Built plan={plan} />
  }
}

function move({ idea_id: id }: WirePlan, to: 'specification' | 'building'): Promise<unknown> {
  return server.transition({ id, to, reason: 'asked for on the page of the plan' })
}

/** Not planned yet, or without success: the words can be changed first. */
function Words({ plan, onChanged }: Pick<StageProps, 'plan' | 'onChanged'>) {
  const [text, setText] = useState(plan.text)
  return (
    <Panel title="What do you want?">
      <div className="space-y-3">
        {plan.problem !== null && <Problem error={plan.problem} />}
        <WordsForm text={text} onChange={setText} idea={plan.idea_id} onPlanned={onChanged} />
        <PlannerWords plan={plan} onTurn={onChanged} />
      </div>
    </Panel>
  )
}

/** A spec without tasks. */
function Unplanned({ plan, onChanged }: Pick<StageProps, 'plan' | 'onChanged'>) {
  const [error, setError] = useState<unknown>(null)
  const id = plan.idea_id
  const idea = useQuery({ queryKey: ['idea', id], queryFn: ({ signal }) => server.idea({ id }, { signal }) })
  const spec = idea.data?.spec?.text ?? ''
  const start = (to: 'specification' | 'building'): void => {
    setError(null)
    move(plan, to).then(onChanged, setError)
  }
  return (
    <Panel title="A spec without a plan">
      <div className="space-y-3">
        <p>It has a spec that somebody wrote. When its build starts, the planner makes tasks of that first.</p>
        {spec !== '' && <Output text={spec} label="The spec" />}
        {error !== null && <Problem error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button look="first" onClick={() => start('building')}>
            Start the build
          </Button>
          <Button onClick={() => start('specification')}>Plan it from the idea's own words</Button>
        </div>
      </div>
    </Panel>
  )
}

function Built({ plan }: { readonly plan: WirePlan }) {
  return (
    <Empty title={PHASES[plan.phase].about}>
      <p>
        {plan.build_id === null ? (
          <Link to={{ at: 'idea', idea: plan.idea_id }}>Look at the idea</Link>
        ) : (
          <Link to={{ at: 'build', build: plan.build_id, tab: 'tasks' }}>Look at its build</Link>
        )}
      </p>
    </Empty>
  )
}
