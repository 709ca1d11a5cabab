// Imports lists that people and other programs keep, as they are and without asking an agent.
import { graphIn, listedTasks } from '../../core/plan/build-graph.ts'
import type { Fields } from '../../core/values/json-answer.ts'
import { refuse } from '../../core/error/error.ts'
import type { PlanItem } from '../../core/plan/plan.ts'
import { tasksOfChecklist } from '../../core/plan/checklist.ts'
import { jsonIn } from '../../core/plan/plan-form.ts'
import { parsePlanLines } from '../../core/plan/plan-jsonl.ts'
import { type ListedTask, placePlan, type Placement } from '../../core/plan/plan-placement.ts'
import { tasksOfPrd } from '../../core/plan/prd.ts'
import type { Task } from '../../core/task/task.ts'
import type { PlanList } from './plan-source.ts'

/** A list is its owner's own, and may be longer than a planner's. */
export const LISTED_MAX = 10_000

export interface ListPlan extends Placement {
  readonly specs: readonly string[]
  /** How many the list marks as done before. */
  readonly checkedOff: number
}

/** What a list means for the existing tasks; `spec`: the group of its tasks. */
export function planOfList(list: PlanList, spec = list.name): (current: readonly Task[]) => ListPlan {
  const { name } = list
  // Each line names its own spec, as with `ralph task plan-sync`.
  if (list.form === 'jsonl') {
    const items = bounded(parsePlanLines(list.text), name)
    return (current) => ({ items, specs: [], renamed: [], doneBefore: doneAmong(items, current), checkedOff: 0 })
  }
  const listed = bounded(tasksIn(list), name)
  const checkedOff = listed.filter(({ checked }) => checked === true).length
  return (current) => ({ ...placePlan(listed, current, spec), specs: [spec], checkedOff })
}

export function tasksIn({ form, text, name }: PlanList): ListedTask[] {
  switch (form) {
    case 'checklist':
      return tasksOfChecklist(text, name)
    case 'prd':
      return tasksOfPrd(text, name)
    case 'graph':
      return tasksOfGraph(text, name)
    case 'jsonl':
      return parsePlanLines(text)
  }
}

function tasksOfGraph(text: string, name: string): ListedTask[] {
  const answer = graphIn((jsonIn(text, name) ?? {}) as Fields, { tasksMax: LISTED_MAX, known: new Set() })
  if (!answer.ok) throw refuse('PLAN_BAD', { problem: `${name}: ${answer.problem}; nothing was written` })
  return listedTasks(answer.value, null)
}

function bounded<Item extends PlanItem>(items: Item[], name: string): Item[] {
  if (items.length > LISTED_MAX)
    throw refuse('PLAN_BAD', { problem: `${name} lists ${items.length} tasks, the most is ${LISTED_MAX}` })
  return items
}

function doneAmong(items: readonly PlanItem[], current: readonly Task[]) {
  const done = new Set(current.filter(({ status }) => status === 'done').map(({ id }) => id))
  return items.flatMap(({ id }) => (done.has(id) ? [id] : []))
}
