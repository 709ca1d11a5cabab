// An agent may answer with the whole updated progress file. Its changes are claims and requests, not facts.
import type { TaskId } from '../values/id.ts'
import type { ProgressFile } from './progress-file.ts'
import type { ProgressTask } from './progress-tasks.ts'

export interface ProgressClaims {
  /** Tasks whose box is newly ticked: the agent says TASK_COMPLETE. */
  readonly checked: readonly TaskId[]
  /** RALPH_DONE is new. */
  readonly saysDone: boolean
  /** Attempts that are new in the answer. */
  readonly attempts: readonly string[]
  /** Null where it is unchanged, or missing. */
  readonly analysis: string | null
  /** The new task list; null where only boxes changed, or where the answer is cut off. */
  readonly tasks: readonly ProgressTask[] | null
}

/** A final message that is a whole progress file and parses as one: only blank lines stand above its heading. */
export function isProgressFile(finalMessage: string): boolean {
  const start = finalMessage.length - finalMessage.trimStart().length
  const before = finalMessage.slice(0, start)
  const isOnItsOwnLine = before === '' || before === '\uFEFF' || before.endsWith('\n')
  return isOnItsOwnLine && finalMessage.startsWith('# Progress:', start)
}

export function claimsOf(before: ProgressFile, after: ProgressFile): ProgressClaims {
  const checkedBefore = new Set(before.tasks.filter((task) => task.checked).map((task) => task.id))
  const known = new Set(before.recentAttempts)
  return {
    checked: after.tasks.filter((task) => task.checked && !checkedBefore.has(task.id)).map((task) => task.id),
    saysDone: after.saysDone && !before.saysDone,
    attempts: after.recentAttempts.filter((attempt) => !known.has(attempt)),
    analysis: after.analysis === '' || after.analysis === before.analysis ? null : after.analysis,
    tasks: isWhole(before, after) && listKey(before) !== listKey(after) ? after.tasks : null,
  }
}

/** An answer that lacks tasks, or a section of the file, is cut off: the agent did not delete what is missing. */
function isWhole(before: ProgressFile, after: ProgressFile): boolean {
  return after.tasks.length > 0 && before.sections.every((section) => after.sections.includes(section))
}

function listKey(file: ProgressFile): string {
  return JSON.stringify(file.tasks.map(({ id, title, phase, detail }) => [id, title, phase, detail]))
}
