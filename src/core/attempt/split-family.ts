// A task that SIA split, its parts, and the parts of these. They share what SIA may do for one task: else every part would
// begin anew with all of it, and splitting would never end.
import { apply, type Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import type { TaskId } from '../values/id.ts'
import { SUBTASKS_MAX, type Splitting } from '../role/sia.ts'

export interface Family {
  /** What was split first; of a task that is nobody's part, the task itself. */
  readonly root: TaskId
  /** How many splits lead from there to the task. */
  readonly depth: number
  /** Of SIA, on the other members. */
  readonly interventions: number
  /** The task and the other members, but for those whose parts stand in their place. */
  readonly tasks: number
}

/** Read from the splits as they were recorded: ids tell nothing, since people choose them freely. */
export function familyOf(task: TaskId, attempts: ReadonlyMap<TaskId, Attempt>): Family {
  const wholes = new Map<TaskId, TaskId>()
  for (const attempt of attempts.values()) for (const part of partsIn(attempt)) wholes.set(part, attempt.task)
  const line = [task]
  for (let whole = wholes.get(task); whole !== undefined && !line.includes(whole); whole = wholes.get(whole))
    line.push(whole)
  const root = line.at(-1) as TaskId
  const members = new Set([root])
  // A set is walked in the order in which it grows.
  for (const member of members) for (const part of partsIn(attempts.get(member))) members.add(part)
  const others = [...members].filter((member) => member !== task)
  return {
    root,
    depth: line.length - 1,
    interventions: others.reduce((all, member) => all + (attempts.get(member)?.interventions ?? 0), 0),
    tasks: [...members].filter((member) => partsIn(attempts.get(member)).length === 0).length,
  }
}

function partsIn(attempt: Attempt | undefined): TaskId[] {
  const phase = attempt?.phase
  return phase?.at === 'settled' && phase.as.is === 'split' ? phase.as.subtasks.map(({ id }) => id) : []
}

/** As `apply`, where SIA is asked no more once the family has had all that one task may have. */
export function applyInFamily(before: Attempt, fact: Cause, attempts: () => ReadonlyMap<TaskId, Attempt>): Attempt {
  const attempt = apply(before, fact)
  const { phase, limits } = attempt
  if (phase.at !== 'intervening') return attempt
  const { root, interventions } = familyOf(attempt.task, attempts())
  if (interventions === 0 || attempt.interventions + interventions < limits.interventions) return attempt
  const why = `SIA is not asked again: task ${root} and its parts have had as many interventions as they may have together ([limits] interventions = ${limits.interventions}).`
  return { ...attempt, phase: { at: 'escalating', reason: `${phase.reason}\n${why}` } }
}

/** A task may be split, and its parts; not the parts of these. */
export const SPLITS_MAX = 2

export function splittingOf({ root, depth, tasks }: Family, tasksPerPlan: number): Splitting {
  if (depth >= SPLITS_MAX)
    return { refused: `it is a part of a part of task ${root}, and no task is split more than twice` }
  const partsMax = Math.min(SUBTASKS_MAX, tasksPerPlan - tasks + 1)
  if (partsMax >= 2) return { partsMax }
  return { refused: `task ${root} has ${tasks} parts, and no task may have more ([limits] tasks_per_plan)` }
}
