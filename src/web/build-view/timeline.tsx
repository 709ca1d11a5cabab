// The Build Timeline: the phase of the loop, its last result, and the verdict on it.
import { useQuery } from '@tanstack/react-query'
import type { Fact } from '../../core/fact/fact.ts'
import type { TaskId } from '../../core/values/id.ts'
import type { WireBuildState } from '../../operations/contract/build-state.ts'
import { server } from '../server.ts'
import { Badge } from '../parts/badge.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { ExplainedText, Output, ForeignText } from '../parts/foreign-text.tsx'
import { timeOfDay } from '../parts/time.ts'
import { Link } from '../router.tsx'
import type { Folded } from '../live-build/fold.ts'
import { useRefetchOnFact } from '../live-build/use-refetch-on-fact.ts'
import { STEP_PHASES } from '../words/phase-words.ts'
import { Interventions } from './interventions.tsx'

/** Facts that change this view. */
const TELLING = new Set(['iterationDone', 'verified', 'reviewed', 'taskResolved', 'planned', 'buildComplete'])
const isRelevant = ({ type }: Fact): boolean => TELLING.has(type)

export function Timeline({ session }: { readonly session: Folded }) {
  const { id } = session.build
  const state = useBuildState(id)
  if (state.isError) return <Problem error={state.error} onRetry={() => void state.refetch()} />
  if (state.data === undefined) return <Loading />
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <CurrentTask session={session} />
        <Checks state={state.data} />
      </div>
      <div className="grid min-w-0 gap-4">
        <LastPatch patch={state.data.last_patch} build={id} />
        <Review review={state.data.last_review} />
        <Interventions session={session} />
        <History entries={state.data.history} />
      </div>
    </div>
  )
}

function useBuildState(id: string) {
  const state = useQuery({
    queryKey: ['state', id],
    queryFn: ({ signal }) => server.state({ build_id: id }, { signal }),
    refetchOnMount: 'always',
  })
  useRefetchOnFact(isRelevant, state.refetch)
  return state
}

function CurrentTask({ session: { view, tasks, build } }: { readonly session: Folded }) {
  const task = tasks.find(({ id }) => id === view.currentTaskId)
  return (
    <Panel title="Current task" aside={<Badge {...STEP_PHASES[view.phase]} />}>
      {task === undefined ? (
        <p className="text-soft">No task is left to be done.</p>
      ) : (
        <>
          <Link to={{ at: 'task', build: build.id, task: task.id as TaskId, session: null }}>
            <ForeignText text={task.title} className="font-medium" />
          </Link>
          <h3 className="mt-3 text-xs font-semibold text-soft">Acceptance</h3>
          {task.acceptance.length === 0 ? (
            <p className="text-soft">No criteria of its own: the checks decide.</p>
          ) : (
            <ul className="mt-1 list-disc space-y-0.5 pl-5">
              {task.acceptance.map((line) => (
                <li key={line}>
                  <ForeignText text={line} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Panel>
  )
}

function LastPatch({ patch, build }: { readonly patch: WireBuildState['last_patch']; readonly build: string }) {
  return (
    <Panel title="Last patch">
      {patch === null ? (
        <p className="text-soft">No patch yet: it appears when the first agent session ends.</p>
      ) : (
        <>
          <p>
            <Link to={{ at: 'task', build, task: patch.task_id, session: null }}>{patch.task_id}</Link>,{' '}
            <span className="text-soft">
              {patch.notes.replaceAll(/\b[0-9a-f]{40}\b/g, (commit) => commit.slice(0, 10))}
            </span>
          </p>
          <ul aria-label="Touched files" className="mt-2 space-y-0.5 font-mono text-xs">
            {patch.touched_files.map((path) => (
              <li key={path}>
                <ForeignText text={path} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function Checks({ state: { last_checks: checks, last_validation: validation } }: { readonly state: WireBuildState }) {
  return (
    <Panel
      title="Validator and checks"
      aside={
        <span className="flex gap-2">
          <Verdict name="Validator" isOk={validation?.ok ?? null} />
          <Verdict name="Checks" isOk={checks?.ok ?? null} />
        </span>
      }
    >
      {checks === null ? (
        <p className="text-soft">Nothing was verified yet.</p>
      ) : (
        <div className="space-y-3">
          {validation?.errors.map((error) => (
            <p key={error} className="text-bad">
              <ForeignText text={error} />
            </p>
          ))}
          <Output text={checks.logs} label="Output of the checks" />
        </div>
      )}
    </Panel>
  )
}

function Verdict({ name, isOk }: { readonly name: string; readonly isOk: boolean | null }) {
  if (isOk === null) return <Badge tone="quiet" word={`${name}: none`} />
  return <Badge tone={isOk ? 'good' : 'bad'} word={`${name}: ${isOk ? 'ok' : 'errors'}`} />
}

function Review({ review }: { readonly review: WireBuildState['last_review'] }) {
  if (review === null)
    return (
      <Panel title="Reviewer">
        <p className="text-soft">No decision on the last patch yet.</p>
      </Panel>
    )
  const isApproved = review.decision === 'approve'
  return (
    <Panel
      title="Reviewer"
      aside={<Badge tone={isApproved ? 'good' : 'bad'} word={isApproved ? 'Approved' : 'Changes requested'} />}
    >
      <Lines title="Required fixes" lines={review.required_fixes} none="None." />
      <Lines title="Reasons" lines={review.reasons} none="None were given." />
    </Panel>
  )
}

interface LinesProps {
  readonly title: string
  readonly lines: readonly string[]
  readonly none: string
}

function Lines({ title, lines, none }: LinesProps) {
  return (
    <div className="mb-2">
      <h3 className="text-xs font-semibold text-soft">{title}</h3>
      {lines.length === 0 && <p className="text-soft">{none}</p>}
      <ul className="list-disc space-y-0.5 pl-5">
        {lines.map((line) => (
          <li key={line}>
            <ExplainedText text={line} label={`${title}, in full`} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function History({ entries }: { readonly entries: WireBuildState['history'] }) {
  return (
    <Panel title="Phases" flush>
      <ol tabIndex={0} aria-label="Phases" className="max-h-72 divide-y divide-line overflow-auto text-xs">
        {entries.toReversed().map(({ seq, ts, phase, task_id: task }) => (
          <li key={seq} className="flex items-center gap-2 px-4 py-1.5">
            <span className="font-mono text-soft tabular-nums">{timeOfDay(ts)}</span>
            <Badge {...STEP_PHASES[phase]} />
            <span className="min-w-0 truncate font-mono">{task}</span>
          </li>
        ))}
        {entries.length === 0 && <li className="px-4 py-3 text-soft">No phase was entered yet.</li>}
      </ol>
    </Panel>
  )
}
