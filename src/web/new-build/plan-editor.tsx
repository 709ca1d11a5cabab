// The editor of a plan: every task can be changed, and faults appear while a person types.
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { WirePlan } from '../../operations/contract/plans.ts'
import { Button } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { PlanActions } from './plan-actions.tsx'
import { faultsOf, withChange, withNewTask, withoutTask, withTaskMoved } from './plan-draft.ts'
import { PlanTask } from './plan-task.tsx'
import { useDraft } from './use-draft.ts'
import { type PlanWays, useSending } from './use-sending.ts'

interface PlanEditorProps extends PlanWays {
  readonly plan: WirePlan
}

export function PlanEditor({ plan, ...ways }: PlanEditorProps) {
  const { draft, isChanged, change, forget } = useDraft(plan)
  const sending = useSending(plan.idea_id, ways)
  const [open, setOpen] = useState<number | null>(null)
  const faults = useMemo(() => faultsOf(draft, plan.known), [draft, plan.known])
  const others = [...draft.tasks.map(({ id }) => id), ...plan.known]
  const add = (): void => {
    const next = withNewTask(draft)
    change(next)
    setOpen(next.tasks.at(-1)?.key ?? null)
  }
  return (
    <div className="space-y-4">
      {plan.notes !== '' && (
        <Panel title="Notes on the plan">
          <ForeignText text={plan.notes} />
        </Panel>
      )}
      <ol aria-label="Tasks of the plan" className="space-y-2">
        {draft.tasks.map((task, at) => (
          <PlanTask
            key={task.key}
            task={task}
            number={at + 1}
            count={draft.tasks.length}
            others={others}
            faults={faults.filter((fault) => fault.at === at)}
            isOpen={open === task.key}
            onTurn={() => setOpen(open === task.key ? null : task.key)}
            onChange={(part) => change(withChange(draft, task.key, part))}
            onMove={(by) => change(withTaskMoved(draft, task.key, by))}
            onRemove={() => change(withoutTask(draft, task.key))}
          />
        ))}
      </ol>
      <Button icon={Plus} onClick={add}>
        Add a task
      </Button>
      <PlanActions
        draft={draft}
        isChanged={isChanged}
        forget={forget}
        faults={faults}
        alsoBuilt={plan.also_built}
        sending={sending}
      />
    </div>
  )
}
