// The interventions of the self-improvement agent.
import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Link } from '../router.tsx'
import type { Folded } from '../live-build/fold.ts'

export function Interventions({ session: { attempts, interventions, build } }: { readonly session: Folded }) {
  const helped = [...attempts.values()].filter((attempt) => attempt.interventions > 0)
  return (
    <Panel
      title="SIA interventions"
      aside={<Badge tone={interventions > 0 ? 'ask' : 'quiet'} word={String(interventions)} />}
    >
      {helped.length === 0 ? (
        <p className="text-soft">None: where a task keeps failing, SIA rewrites it, splits it, or asks you.</p>
      ) : (
        <ul className="space-y-1.5">
          {helped.map(({ task, taskName, techniques }) => (
            <li key={task} className="flex flex-wrap items-center gap-x-2">
              <Link to={{ at: 'task', build: build.id, task, session: null }}>
                <ForeignText text={taskName} />
              </Link>
              <span className="text-soft">
                {techniques.length > 0 ? techniques.join(', ').replaceAll('_', ' ') : 'given to a human'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
