// Shows in the file what the store knows: boxes, completed tasks, attempts, and a row for every iteration. It is
// derived each time and only adds what is missing, so a crash or an old copy saved over the file costs nothing.
import type { Attempt, Phase } from '../../core/attempt/attempt.ts'
import type { TaskId } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import {
  appendAttempt,
  appendIteration,
  ATTEMPTS_KEPT_DEFAULT,
  checkTask,
  setCompletedThisIteration,
  uncheckTask,
} from '../../core/progress/progress-edit.ts'
import { parseProgressFile } from '../../core/progress/progress-file.ts'
import type { IterationRow } from '../../core/progress/progress-log.ts'
import type { ProgressTask } from '../../core/progress/progress-tasks.ts'
import type { Task } from '../../core/task/task.ts'
import { boundedAttempt, boundedLine } from './bounds.ts'
import { isTextOf } from './plan-items.ts'

/** What the store knows about the tasks of a file and about the build that works on them. */
export interface StoreFacts {
  readonly tasks: ReadonlyMap<TaskId, Task>
  readonly attempts: ReadonlyMap<TaskId, Attempt>
  /** Of the whole build, oldest first. */
  readonly iterations: readonly IterationRecord[]
}

export function render(text: string, spec: string, known: StoreFacts): string {
  return withLog(withBoxes(text, spec, known), known)
}

/**
 * A checked box means evidence, or somebody's claim. A person's own acceptance is neither, so that box stays as it is.
 */
function withBoxes(text: string, spec: string, known: StoreFacts): string {
  let boxed = text
  for (const task of parseProgressFile(text).tasks) {
    const standing = known.tasks.get(task.id)
    const box = standing?.spec === spec ? boxOf(task, standing, known) : 'as it is'
    if (box === 'checked' && !task.checked) boxed = checkTask(boxed, task.id)
    if (box === 'empty' && task.checked) boxed = uncheckTask(boxed, task.id)
  }
  return boxed
}

function boxOf(task: ProgressTask, standing: Task, known: StoreFacts): 'checked' | 'empty' | 'as it is' {
  switch (standing.status) {
    case 'open':
    case 'active':
    case 'waiting':
    case 'skipped':
      return 'empty'
    case 'split':
      return arePartsVerified(standing.id, known) ? 'checked' : 'empty'
    case 'done':
      return isVerified(standing) && isTextOf(task, standing) ? 'checked' : 'as it is'
    case 'deleted':
      return 'as it is'
  }
}

/** Whether the engine has evidence for the task. A person's word does not count. */
export function isVerified({ status, result, reportedDone }: Task): boolean {
  if (status === 'done' && reportedDone !== null) return reportedDone.verified !== undefined
  const proof = result?.['proof']
  return status === 'done' && typeof proof === 'object' && proof !== null && 'evidence' in proof
}

function arePartsVerified(id: TaskId, known: StoreFacts): boolean {
  const phase = known.attempts.get(id)?.phase
  if (phase?.at !== 'settled' || phase.as.is !== 'split') return false
  return phase.as.subtasks.every((part) => {
    const task = known.tasks.get(part.id)
    return task?.status === 'split' ? arePartsVerified(task.id, known) : task !== undefined && isVerified(task)
  })
}

interface EndedIteration {
  readonly record: IterationRecord
  readonly row: IterationRow
  readonly title: string
  readonly completed: 'completed' | 'not completed'
  readonly note: string
}

function withLog(text: string, known: StoreFacts): string {
  const ended = known.iterations.flatMap((record, at) => endedIteration(record, at + 1, known))
  const last = ended.at(-1)
  if (last === undefined) return text
  const { iterationLog, recentAttempts } = parseProgressFile(text)
  const rows = new Set(iterationLog.map(rowKey))
  const headings = new Set(recentAttempts.map((attempt) => attempt.split('\n')[0]))
  const missing = ended.filter(({ row }) => !rows.has(rowKey(row)))
  const tried = missing.filter(({ completed }) => completed === 'not completed').slice(-ATTEMPTS_KEPT_DEFAULT)

  const logged = missing.reduce((so, { row }) => appendIteration(so, row), text)
  const told = tried
    .map(attemptText)
    .filter((attempt) => !headings.has(attempt.split('\n')[0]))
    .reduce((so, attempt) => appendAttempt(so, attempt), logged)
  return setCompletedThisIteration(told, last.completed === 'completed' ? [last.title] : [])
}

function rowKey({ iteration, started }: IterationRow): string {
  return `${iteration} ${started}`
}

/** Empty while the work is still being judged: nobody knows the result yet. */
function endedIteration(record: IterationRecord, number: number, known: StoreFacts): EndedIteration[] {
  const { task: id } = record
  const attempt = known.attempts.get(id)
  const isLast = attempt?.number === record.attempt && attempt.iteration === record.iteration
  const phase = attempt === undefined ? undefined : withoutLimit(attempt.phase)
  if (isLast && phase !== undefined && isJudging(phase)) return []
  const completed = isLast && phase?.at === 'settled' && phase.as.is === 'done' ? 'completed' : 'not completed'
  const note = noteOf(record, attempt, isLast ? phase : undefined, known)
  const row = {
    iteration: number,
    started: formatInstant(record.startedAt),
    duration: durationText(record.durationMs),
    tasksCompleted: completed === 'completed' ? id : '-',
    notes: boundedLine(`${id}: ${note}`),
  }
  const title = boundedLine(known.tasks.get(id)?.title ?? attempt?.taskName ?? id)
  return [{ record, row, title, completed, note }]
}

function withoutLimit(phase: Phase): Phase {
  return phase.at === 'limited' ? withoutLimit(phase.resumes) : phase
}

function isJudging({ at }: Phase): boolean {
  return at === 'verifying' || at === 'reviewing' || at === 'objecting' || at === 'merging'
}

/** `phase`: the task's phase, if this was its last iteration. */
function noteOf(
  record: IterationRecord,
  attempt: Attempt | undefined,
  phase: Phase | undefined,
  known: StoreFacts,
): string {
  if (phase?.at === 'settled') {
    if (phase.as.is !== 'done') return `the task was ${phase.as.is}`
    return phase.as.proof.by === 'evidence' ? 'verified and merged' : `accepted by ${phase.as.proof.person}`
  }
  if (record.error !== null) return record.error
  if (phase?.at === 'intervening' || phase?.at === 'escalating' || phase?.at === 'waiting') return phase.reason
  if (attempt !== undefined && endsAttempt(record, attempt, known))
    return attempt.number === record.attempt + 1 ? (attempt.lastError ?? 'it failed') : 'it failed'
  return record.signal ?? 'it gave no signal'
}

function endsAttempt(record: IterationRecord, { number }: Attempt, { iterations }: StoreFacts): boolean {
  const isLater = (other: IterationRecord): boolean =>
    other.task === record.task && other.attempt === record.attempt && other.iteration > record.iteration
  return number > record.attempt && !iterations.some(isLater)
}

function attemptText({ record, row, title, note }: EndedIteration): string {
  const { task, attempt, iteration, agent, signal } = record
  const lines = [
    `Iteration ${row.iteration}, ${row.started}: ${title}`,
    `- Task ${task}, attempt ${attempt}, iteration ${iteration}, ${row.duration}, by ${agent}`,
    ...(signal === null ? [] : [`- Said: ${signal}`]),
    `- Outcome: ${note}`,
  ]
  return boundedAttempt(lines.join('\n'))
}

/** `5m 26s` */
function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [hours > 0 ? `${hours}h` : '', seconds >= 60 ? `${minutes}m` : '', `${seconds % 60}s`].join(' ').trim()
}
