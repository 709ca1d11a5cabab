// Turns a progress file into plan items for the store. The file's path is the spec that groups its tasks, so a task
// that is no longer listed is deleted. The position in the list is the priority, so that moving a line changes what is
// done next.
//
// A task's `ref` says which text the file gave it. While the file has the same text, the store's own text stays: SIA or
// a person may have rewritten the task there, and an old line of the file must not undo that.
import { createHash } from 'node:crypto'
import type { Instant, TaskId } from '../../core/values/id.ts'
import type { PlanDiff, PlanItem } from '../../core/plan/plan.ts'
import { findCycle } from '../../core/task/graph.ts'
import { readDetails, unknownDeps } from '../../core/progress/progress-details.ts'
import { outlineOf } from '../../core/progress/progress-outline.ts'
import { type ProgressTask, tasksIn } from '../../core/progress/progress-tasks.ts'
import { markDeleted, isSettled, type Task } from '../../core/task/task.ts'
import type { Scope, Store } from '../../store/store.ts'

const VERSION = 'sha256:'

export interface FilePlan {
  readonly items: readonly PlanItem[]
  /** Unchecked in the file, but done in the store. */
  readonly doneBefore: readonly TaskId[]
  /** Tasks that cannot be imported, and what to do about it. */
  readonly problems: readonly string[]
  /** What was read differently from what its writer may think. */
  readonly notes: readonly string[]
}

export async function planOfFile(store: Store, scope: Scope, spec: string, text: string): Promise<FilePlan> {
  const listed = tasksIn(outlineOf(text).sections.get('Tasks')).map(({ task }) => task.id)
  const standing = await store.tasks.list(scope, { ids: listed })
  return planIn(text, spec, new Map(standing.map((task) => [task.id, task])))
}

export function planIn(text: string, spec: string, known: ReadonlyMap<TaskId, Task>): FilePlan {
  const items: PlanItem[] = []
  const doneBefore: TaskId[] = []
  const problems: string[] = []
  const notes: string[] = []
  const lineAt = lineCounter(text)
  const listed = tasksIn(outlineOf(text).sections.get('Tasks'))
  const ids = new Set(listed.map(({ task }) => task.id))
  for (const [place, { task, box }] of listed.entries()) {
    const line = lineAt(box)
    const unknown = task.checked ? [] : unknownDeps(task.detail, ids)
    if (unknown.length > 0) notes.push(notWaited(task.id, unknown, `line ${line} of ${spec}`))
    const found = known.get(task.id)
    const standing = found?.status === 'deleted' ? undefined : found
    const problem = standing === undefined ? null : problemOf(task, standing, spec)
    if (problem !== null) problems.push(`line ${line} of ${spec}: ${problem}`)
    // A box that was checked before the store knew the task is history.
    else if (standing !== undefined || !task.checked)
      items.push(itemFor(task, standing, { spec, priority: place }, ids, line))
    if (problem === null && standing?.status === 'done' && !task.checked) doneBefore.push(task.id)
  }
  return { items: withoutHistory(items, known), doneBefore, problems: [...problems, ...circles(items, spec)], notes }
}

function notWaited(id: TaskId, unknown: readonly string[], where: string): string {
  const names = unknown.map((word) => `'${word}'`).join(', ')
  return `${where}: what '${id}' depends on is taken as description, since the file has no task ${names}`
}

/** A task that was checked before the store knew it blocks nothing. */
function withoutHistory(items: readonly PlanItem[], known: ReadonlyMap<TaskId, Task>): PlanItem[] {
  const there = new Set([...known.keys(), ...items.map(({ id }) => id)])
  return items.map((item) =>
    item.deps === undefined ? item : { ...item, deps: item.deps.filter((id) => there.has(id)) },
  )
}

function circles(items: readonly PlanItem[], spec: string): string[] {
  const cycle = findCycle(items.map(({ id, deps = [] }) => ({ id, deps })))
  const line = items.find(({ id }) => id === cycle?.[0])?.line
  return cycle === null ? [] : [`line ${line} of ${spec}: its tasks wait for each other: ${cycle.join(' -> ')}`]
}

/** `changedAt`: when the file was last changed. Missing tasks were removed then, however late we notice. */
export async function syncPlan(
  store: Store,
  scope: Scope,
  spec: string,
  plan: FilePlan,
  changedAt: Instant,
): Promise<PlanDiff> {
  const diff = await takenOver(store, scope, spec, plan)
  const ids = diff.deleted.map(({ id }) => id)
  if (ids.length > 0)
    await store.tasks.changeAll(scope, { ids, statuses: ['deleted'] }, (task) =>
      task.updatedAt <= changedAt ? task : { ...task, updatedAt: changedAt },
    )
  return diff
}

/** One transaction, all or nothing. */
async function takenOver(store: Store, scope: Scope, spec: string, plan: FilePlan): Promise<PlanDiff> {
  if (plan.items.length > 0) return store.tasks.syncPlan(scope, plan.items)
  // The file lists only history, so no item says which group lost its tasks.
  const open = await store.tasks.changeAll(scope, { statuses: ['open', 'active', 'waiting'] }, (task, now) =>
    task.spec === spec ? markDeleted(task, now) : task,
  )
  return { inserted: [], updated: [], deleted: open.filter(({ status }) => status === 'deleted'), skippedDone: 0 }
}

function itemFor(
  task: ProgressTask,
  standing: Task | undefined,
  group: { readonly spec: string; readonly priority: number },
  ids: ReadonlySet<TaskId>,
  line: number,
): PlanItem {
  const { id, title, detail } = task
  if (standing !== undefined && standing.spec === group.spec && standing.ref === versionOf(task))
    return { id, text: { title: standing.title, ...group }, line }
  const { description, acceptance, filesExpected, type, deps } = readDetails(detail, ids)
  const text = {
    title,
    description,
    ref: versionOf(task),
    ...group,
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(filesExpected.length === 0 ? {} : { filesExpected }),
    ...(type === null ? {} : { type }),
  }
  return { id, text, line, ...(deps === null ? {} : { deps }) }
}

/** An id of other work must not pass that work's evidence on to this task. */
function problemOf(task: ProgressTask, standing: Task, spec: string): string | null {
  const mend = `give this one another id, for example with {#${task.id}-b} at the end of its line`
  if (standing.spec !== spec && (standing.spec !== null || isSettled(standing.status)))
    return `there is a task '${task.id}' already that belongs to ${standing.spec ?? 'no spec'}; ${mend}`
  if (standing.status === 'done' && !task.checked && !isTextOf(task, standing))
    return `task '${task.id}' was done with another text; ${mend}`
  return null
}

/** Whether the task has the file's current text. A task from another source is recognised by its title. */
export function isTextOf(task: ProgressTask, standing: Task): boolean {
  if (standing.ref?.startsWith(VERSION) === true) return standing.ref === versionOf(task)
  return standing.title === task.title
}

function versionOf({ title, detail }: ProgressTask): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([title, detail]))
    .digest('hex')
  return `${VERSION}${digest.slice(0, 16)}`
}

/** For growing offsets. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let from = 0
  return (offset) => {
    for (let feed = text.indexOf('\n', from); feed !== -1 && feed < offset; feed = text.indexOf('\n', from)) {
      line += 1
      from = feed + 1
    }
    return line
  }
}
