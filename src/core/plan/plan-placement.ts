// Places the tasks of a new plan among the existing ones. A task with an id that stands for other work must not inherit
// that work's evidence, nor overwrite its text. So a second goal in the same repository gets free ids.
import type { TaskId } from '../values/id.ts'
import type { PlanItem } from './plan.ts'
import { isSettled, type Task } from '../task/task.ts'
import { cutToLength } from '../values/text-bounds.ts'

/** A task of a list; one that is checked off is history unless the store has it too. */
export interface ListedTask extends PlanItem {
  readonly checked?: boolean
}

export interface Placement {
  readonly items: readonly PlanItem[]
  readonly renamed: readonly { readonly from: TaskId; readonly to: TaskId }[]
  /** Finished already; not done again. */
  readonly doneBefore: readonly TaskId[]
}

/** Leaves room for `-` and a number within the 128 of an id. */
const STEM_LENGTH_MAX = 112

/** `spec`: the group of the tasks; a new plan for it updates its unfinished tasks. */
export function placePlan(listed: readonly ListedTask[], current: readonly Task[], spec: string): Placement {
  const standing = new Map(current.map((task) => [task.id, task]))
  const own = new Set(listed.map(({ id }) => id))
  const taken = new Set(own)
  const places = new Map<TaskId, TaskId>()
  for (const item of listed) {
    const isHistory = item.checked === true && !isOfGroup(standing.get(item.id), spec)
    if (isHistory) continue
    const id = placeFor(item, standing, taken, spec)
    places.set(item.id, id)
    taken.add(id)
  }
  // A task that is checked off and gone blocks nothing.
  const depsOf = ({ deps }: PlanItem): TaskId[] | undefined =>
    deps?.flatMap((dep) => places.get(dep) ?? (own.has(dep) ? [] : [dep]))
  const items = listed.flatMap(({ checked, ...item }): PlanItem[] => {
    const id = places.get(item.id)
    if (id === undefined) return []
    const deps = depsOf(item)
    const found = standing.get(id)
    const text = { ...(checked === true && found !== undefined ? { title: found.title } : item.text), spec }
    const { line, examples } = item
    return [
      { line, id, text, ...(deps === undefined ? {} : { deps }), ...(examples === undefined ? {} : { examples }) },
    ]
  })
  return {
    items,
    renamed: [...places].flatMap(([from, to]) => (from === to ? [] : [{ from, to }])),
    doneBefore: items.flatMap(({ id }) => (standing.get(id)?.status === 'done' ? [id] : [])),
  }
}

function placeFor(
  item: ListedTask,
  standing: ReadonlyMap<TaskId, Task>,
  taken: ReadonlySet<TaskId>,
  spec: string,
): TaskId {
  if (item.checked === true || fitsPlan(item, standing.get(item.id), spec, 'its-own')) return item.id
  let free: TaskId | null = null
  // Assigned ids are never reused, so the existing ones are consecutive.
  for (let number = 2; ; number += 1) {
    const id = `${cutToLength(item.id, STEM_LENGTH_MAX)}-${number}` as TaskId
    const task = standing.get(id)
    if (taken.has(id)) continue
    if (task === undefined) return free ?? id
    if (!fitsPlan(item, task, spec, 'given')) continue
    // Prefers the id that the task had before to a free one.
    if (task.status !== 'deleted') return id
    free ??= id
  }
}

/** Whether the task with this id is this one, or no task has it. */
function fitsPlan({ text }: PlanItem, task: Task | undefined, spec: string, id: 'its-own' | 'given'): boolean {
  if (task === undefined) return true
  // The store keeps the attempts of a build under the id of the task.
  if (task.status === 'deleted') return task.build === null
  const isSameWork = task.title === text.title
  if (isOfGroup(task, spec))
    return task.status === 'done' ? isSameWork : !isSettled(task.status) && (id === 'its-own' || isSameWork)
  return task.spec === null && !isSettled(task.status) && isSameWork
}

function isOfGroup(task: Task | undefined, spec: string): boolean {
  return task?.spec === spec && task.status !== 'deleted'
}
