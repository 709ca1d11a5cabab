// An agent may answer with the whole updated progress file. Of its changes
//   - the newly checked box of its own task means TASK_COMPLETE; other boxes mean nothing, since nobody worked on those;
//   - a new analysis, new attempts, new tasks and new wording of other tasks are imported;
//   - its own task keeps its wording, and no task disappears: an agent does not change its own goal. Recent Attempts
//     tells it what was not imported.
// If a person changed the same thing during the session, the person's version stays.
//
// The agent saw two versions: the user's file, and the one in its folder, which is as old as its commit. What it merely
// copied from either one is not a change.
import { type TaskId } from '../../core/values/id.ts'
import { claimsOf, isProgressFile, type ProgressClaims } from '../../core/progress/progress-claims.ts'
import { appendAttempt, ATTEMPTS_KEPT_DEFAULT, setAnalysis } from '../../core/progress/progress-edit.ts'
import { parseProgressFile, type ProgressFile } from '../../core/progress/progress-file.ts'
import type { ProgressTask } from '../../core/progress/progress-tasks.ts'
import { readSignal, reconcile, type Signal, signalOf } from '../../core/session/signal.ts'
import { newTask } from '../../core/task/task.ts'
import { boundedAttempt, boundedLine, boundedProse } from './bounds.ts'
import { FILE_BYTES_MAX } from './file-on-disk.ts'
import { addTask, rewordTask } from './task-list.ts'

/** The most new or reworded tasks in one answer: as many as a whole plan may have. */
const TASKS_CHANGED_MAX = 15
const IDS_NAMED_MAX = 10

/**
 * `byTool`: what the session said while it worked. `before`: the user's file when the session began; null where the
 * build has none.
 */
export function signalIn(
  message: string,
  task: TaskId,
  before: ProgressFile | null,
  byTool: Signal | null,
): Signal | null {
  const said = reconcile(readSignal(message), byTool)
  const answer = progressFileIn(message)
  if (answer === null) return said
  const checked =
    before === null ? answer.tasks.filter((each) => each.checked).map(({ id }) => id) : claimsOf(before, answer).checked
  return reconcile(said, checked.includes(task) ? signalOf('TASK_COMPLETE') : null) ?? signalOf('ITERATION_DONE')
}

/** Null: the message is something else, or too long. */
export function progressFileIn(message: string): ProgressFile | null {
  return message.length <= FILE_BYTES_MAX && isProgressFile(message) ? parseProgressFile(message) : null
}

/** A long message reaches us without its middle, so the agent did not leave out what is missing. */
export function isCut(message: string): boolean {
  return /^… [\d,]+ bytes left out …$/m.test(message)
}

export interface AnswerContext {
  readonly task: TaskId
  /** The session's name in the file. */
  readonly session: string
  /** The user's file when the session began. */
  readonly before: ProgressFile
  /** The file in the agent's own folder; null where there is none. */
  readonly own: ProgressFile | null
}

/** The user's file with what the answer adds. */
export function withAnswer(text: string, answer: ProgressFile, context: AnswerContext): string {
  const { before } = context
  const claims = ownClaims(answer, context)
  const present = parseProgressFile(text)
  const analysis = present.analysis === before.analysis ? boundedProse(claims.analysis ?? '') : ''
  const list = listChanges(claims.tasks ?? [], present, context)
  const listed = withList(setAnalysis(text, analysis), list)
  const attempts = [...claims.attempts.map(boundedAttempt), ...notesOn(claims, list, context)]
  const news = attempts.filter((attempt) => !present.recentAttempts.includes(attempt)).slice(-ATTEMPTS_KEPT_DEFAULT)
  return news.reduce((so, attempt) => appendAttempt(so, attempt), listed)
}

function ownClaims(answer: ProgressFile, { before, own }: AnswerContext): ProgressClaims {
  const claims = claimsOf(before, answer)
  if (own === null) return claims
  const toOwn = claimsOf(own, answer)
  return {
    checked: claims.checked.filter((id) => toOwn.checked.includes(id)),
    saysDone: claims.saysDone && toOwn.saysDone,
    attempts: claims.attempts.filter((attempt) => toOwn.attempts.includes(attempt)),
    analysis: toOwn.analysis === null ? null : claims.analysis,
    // Only the version it was made from shows whether the list is whole.
    tasks: toOwn.tasks,
  }
}

interface ListChanges {
  readonly added: readonly (ProgressTask & { readonly after: TaskId | null })[]
  readonly reworded: readonly ProgressTask[]
  readonly refused: readonly TaskId[]
  readonly leftOut: readonly TaskId[]
}

function listChanges(wanted: readonly ProgressTask[], present: ProgressFile, context: AnswerContext): ListChanges {
  const { before, own, task: current } = context
  const [now, then, copied] = [present, before, own].map((file) => byId(file?.tasks ?? []))
  const isKnown = ({ id }: ProgressTask): boolean => [now, then, copied].some((tasks) => tasks?.has(id))
  const fresh = wanted.flatMap((task, at) => (isKnown(task) ? [] : [{ ...task, after: wanted[at - 1]?.id ?? null }]))
  const added = fresh.filter(isSound).slice(0, TASKS_CHANGED_MAX)
  const changed = wanted.filter((task) => {
    const [old, copy] = [then?.get(task.id), copied?.get(task.id)]
    return (
      old !== undefined && !old.checked && !isSameText(task, old) && !(copy !== undefined && isSameText(task, copy))
    )
  })
  const isFree = (task: ProgressTask): boolean => {
    const [at, old] = [now?.get(task.id), then?.get(task.id)]
    return task.id !== current && isSound(task) && at !== undefined && old !== undefined && isSameText(at, old)
  }
  const reworded = changed.filter(isFree).slice(0, TASKS_CHANGED_MAX)
  const named = new Set(wanted.map(({ id }) => id))
  const isMissing = ({ id, checked }: ProgressTask): boolean =>
    !checked && !named.has(id) && (own === null || copied?.has(id) === true)
  return {
    added,
    reworded,
    refused: [...fresh, ...changed]
      .filter(({ id }) => ![...added, ...reworded].some((taken) => taken.id === id))
      .map(idOf),
    leftOut: wanted.length === 0 ? [] : before.tasks.filter(isMissing).map(idOf),
  }
}

function withList(text: string, { added, reworded }: ListChanges): string {
  const worded = reworded.reduce(rewordTask, text)
  return added.reduce((so, { after, ...task }) => addTask(so, task, after), worded)
}

/** What was not imported, for the next agent and the person. */
function notesOn(claims: ProgressClaims, { refused, leftOut }: ListChanges, context: AnswerContext): string[] {
  const unearned = claims.checked.filter((id) => id !== context.task)
  const notes = [
    ...(unearned.length === 0 ? [] : [`- Checked without having been worked on: ${nameList(unearned)}`]),
    ...(leftOut.length === 0 ? [] : [`- Left out of the list, and still to be done: ${nameList(leftOut)}`]),
    ...(refused.length === 0 ? [] : [`- Changed in a way that was not taken over: ${nameList(refused)}`]),
    ...(claims.saysDone ? ['- Said RALPH_DONE: the build ends when every task is verified'] : []),
  ]
  const heading = boundedLine(`What does not count, ${context.session}`)
  return notes.length === 0 ? [] : [[heading, ...notes].join('\n')]
}

function nameList(ids: readonly TaskId[]): string {
  const more = ids.length - IDS_NAMED_MAX
  return ids.slice(0, IDS_NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** A task that the store would refuse must not get into the file: it would block every later change of the list. */
function isSound({ id, title, detail }: ProgressTask): boolean {
  try {
    newTask(id, { title, description: detail }, [], 0)
    return true
  } catch {
    return false
  }
}

function isSameText(one: ProgressTask, other: ProgressTask): boolean {
  return one.title === other.title && one.detail === other.detail
}

function byId(tasks: readonly ProgressTask[]): ReadonlyMap<TaskId, ProgressTask> {
  return new Map(tasks.map((task) => [task.id, task]))
}

function idOf({ id }: { readonly id: TaskId }): TaskId {
  return id
}
