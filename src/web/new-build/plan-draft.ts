// A plan in the editor. Lists are texts with a line each, so that an unfinished line stays as it is.
import { type GraphFault, graphFaults } from '../../core/plan/build-graph.ts'
import type { TaskId } from '../../core/values/id.ts'
import { slug } from '../../core/progress/progress-ids.ts'
import type { PlanDraft, PlanTask } from '../../operations/contract/plans.ts'

export interface DraftTask {
  /** Stable in the editor; the id may change. */
  readonly key: number
  readonly id: string
  /** `own`: the id follows the title until a person changes it. */
  readonly naming: 'own' | 'by-title'
  readonly title: string
  readonly goal: string
  readonly acceptance: string
  readonly dependsOn: readonly string[]
  readonly files: string
  readonly type: PlanTask['type']
}

export interface Draft {
  readonly tasks: readonly DraftTask[]
  readonly notes: string
}

/** As many as a list may have. */
const TASKS_MAX = 10_000
const ID_LENGTH_MAX = 48

export function draftOf({ tasks, notes }: PlanDraft): Draft {
  return {
    notes,
    tasks: tasks.map(({ id, title, goal, acceptance, depends_on: deps, files_expected: files, type }, key) => ({
      key,
      id,
      naming: 'own',
      title,
      goal,
      acceptance: acceptance.join('\n'),
      dependsOn: deps,
      files: files.join('\n'),
      type,
    })),
  }
}

export function planOf({ tasks, notes }: Draft): PlanDraft {
  return {
    notes,
    tasks: tasks.map(({ id, title, goal, acceptance, dependsOn, files, type }) => ({
      id,
      title,
      goal,
      acceptance: linesOf(acceptance),
      depends_on: [...dependsOn],
      files_expected: linesOf(files),
      type,
    })),
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The same rules as on the server; `at` is the index of the task. */
export function faultsOf(draft: Draft, known: readonly string[]): readonly GraphFault[] {
  const { tasks, notes } = planOf(draft)
  const wanted = tasks.map(({ type, ...task }) => (type === null ? task : { ...task, type }))
  return graphFaults({ tasks: wanted, notes }, { tasksMax: TASKS_MAX, known: new Set(known as TaskId[]) })
}

type Change = Partial<Omit<DraftTask, 'key'>>

/** Dependencies on a task follow its new id. */
export function withChange(draft: Draft, key: number, change: Change): Draft {
  const task = draft.tasks.find((one) => one.key === key)
  if (task === undefined) return draft
  const named: Change = change.id === undefined ? change : { ...change, naming: 'own' }
  const after = { ...task, ...named }
  const isByTitle = after.naming === 'by-title' && change.title !== undefined
  const whole = isByTitle ? { ...after, id: idFor(after.title, draft, key) } : after
  const tasks = draft.tasks.map((one) => (one.key === key ? whole : renamedIn(one, task.id, whole.id)))
  return { ...draft, tasks }
}

function renamedIn(task: DraftTask, from: string, to: string): DraftTask {
  if (from === to || !task.dependsOn.includes(from)) return task
  return { ...task, dependsOn: task.dependsOn.map((dep) => (dep === from ? to : dep)) }
}

function idFor(title: string, { tasks }: Draft, key: number): string {
  const stem = slug(title).slice(0, ID_LENGTH_MAX).replace(/-$/, '') || 'task'
  const taken = new Set(tasks.flatMap((one) => (one.key === key ? [] : [one.id])))
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`
    if (!taken.has(id)) return id
  }
}

export function withNewTask(draft: Draft): Draft {
  const key = Math.max(-1, ...draft.tasks.map((one) => one.key)) + 1
  const id = idFor('', draft, key)
  const empty = { title: '', goal: '', acceptance: '', dependsOn: [], files: '', type: null } as const
  return { ...draft, tasks: [...draft.tasks, { key, id, naming: 'by-title', ...empty }] }
}

/** Dependencies on it stay, and are shown as faults. */
export function withoutTask(draft: Draft, key: number): Draft {
  return { ...draft, tasks: draft.tasks.filter((one) => one.key !== key) }
}

export function withTaskMoved(draft: Draft, key: number, by: -1 | 1): Draft {
  const from = draft.tasks.findIndex((one) => one.key === key)
  const task = draft.tasks[from]
  const to = from + by
  if (task === undefined || to < 0 || to >= draft.tasks.length) return draft
  const tasks = draft.tasks.filter((one) => one.key !== key)
  return { ...draft, tasks: tasks.toSpliced(to, 0, task) }
}
