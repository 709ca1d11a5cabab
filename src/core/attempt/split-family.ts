// A task that SIA split, its parts, and their parts. They share the interventions of one task: else every part would
// start with all of them again, and splitting would never end.
import { apply, type Attempt } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import type { TaskId } from '../values/id.ts'
import { SUBTASKS_MAX, type Splitting } from '../role-answers/sia.ts'

export interface Family {
  /** The task that was split first; for a task that is no part, the task itself. */
  readonly root: TaskId
  /** The number of splits between the root and the task. */
  readonly depth: number
  /** Interventions of SIA on the other members. */
  readonly interventions: number
  /** The task and the other members, without those that their parts replace. */
  readonly tasks: number
}

/** Uses the recorded splits: ids prove nothing, since people choose them freely. */
export function familyOf(task: TaskId, attempts: ReadonlyMap<TaskId, Attempt>): Family {
  const wholes = new Map<TaskId, TaskId>()
  for (const attempt of attempts.values()) for (const part of partsIn(attempt)) wholes.set(part, attempt.task)
  const line = [task]
  for (let whole = wholes.get(task); whole !== undefined && !line.includes(whole); whole = wholes.get(whole))
    line.push(whole)
  const root = line.at(-1) as TaskId
  const members = new Set([root])
  // A set iterates over the members that are added on the way.
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

/** Like `apply`, but SIA gets no further turn once the family has used the interventions of one task. */
export function applyInFamily(before: Attempt, fact: Cause, attempts: () => ReadonlyMap<TaskId, Attempt>): Attempt {
  const attempt = apply(before, fact)
  const { phase, limits } = attempt
  if (phase.at !== 'intervening') return attempt
  const { root, interventions } = familyOf(attempt.task, attempts())
  if (interventions === 0 || attempt.interventions + interventions < limits.interventions) return attempt
  const why = `SIA is not asked again: task ${root} and its parts have had as many interventions as they may have together ([limits] interventions = ${limits.interventions}).`
  return { ...attempt, phase: { at: 'escalating', reason: `${phase.reason}\n${why}` } }
}

/** A task and its parts may be split, but not the parts of these. */
export const SPLITS_MAX = 2

export function splittingOf({ root, depth, tasks }: Family, tasksPerPlan: number): Splitting {
  if (depth >= SPLITS_MAX)
    return { refused: `it is a part of a part of task ${root}, and no task is split more than twice` }
  const partsMax = Math.min(SUBTASKS_MAX, tasksPerPlan - tasks + 1)
  if (partsMax >= 2) return { partsMax }
  return { refused: `task ${root} has ${tasks} parts, and no task may have more ([limits] tasks_per_plan)` }
}
