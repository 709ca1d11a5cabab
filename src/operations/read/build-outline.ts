// How a build stands in short. Cards, statuses, sessions and reports all show this part, so they all derive it from here.
import type { Attempt } from '../../core/attempt/attempt.ts'
import { type Build, type BuildView, viewBuild } from '../../core/builds/build.ts'
import type { TaskId } from '../../core/values/id.ts'
import type { Task } from '../../core/task/task.ts'

export interface BuildOutline {
  readonly build: Build
  readonly view: BuildView
  /** In plan order, without those that were split or deleted. */
  readonly tasks: readonly Task[]
  readonly attempts: ReadonlyMap<TaskId, Attempt>
  readonly waiting: readonly WaitingTask[]
}

export interface WaitingTask {
  readonly task: TaskId
  readonly title: string
  readonly reason: string
  /** What went wrong last, where the reason does not say it. */
  readonly lastError: string | null
}

/** `all`: tasks in plan order, also those of other builds. */
export function outlineOf(build: Build, all: readonly Task[], attempts: ReadonlyMap<TaskId, Attempt>): BuildOutline {
  const tasks = all.filter(({ build: own, status }) => own === build.id && status !== 'split' && status !== 'deleted')
  return { build, view: viewBuild(build, tasks, attempts), tasks, attempts, waiting: waitingTasks(tasks, attempts) }
}

function waitingTasks(tasks: readonly Task[], attempts: ReadonlyMap<TaskId, Attempt>): readonly WaitingTask[] {
  return tasks.flatMap(({ id, title }) => {
    const { phase, lastError = null } = attempts.get(id) ?? {}
    if (phase?.at !== 'waiting') return []
    const { reason } = phase
    return [{ task: id, title, reason, lastError: reason.includes(lastError ?? '') ? null : lastError }]
  })
}

export interface BuildProgress {
  readonly total: number
  readonly completed: number
  readonly failed: number
  /** The title of the current task. */
  readonly current: string | null
  readonly currentAttempt: number
}

export function progressOf(outline: BuildOutline): BuildProgress {
  const { view, tasks } = outline
  return {
    total: tasks.length,
    completed: view.completedTasks.length,
    failed: view.failedTasks.length,
    current: tasks.find(({ id }) => id === view.currentTaskId)?.title ?? null,
    currentAttempt: currentAttempt(outline)?.number ?? 0,
  }
}

function currentAttempt({ view, attempts }: BuildOutline): Attempt | undefined {
  return view.currentTaskId === null ? undefined : attempts.get(view.currentTaskId)
}

/** Why the build waits for a human, else what went wrong last. Every face shows the same. */
export function lastErrorOf(outline: BuildOutline): string | null {
  const { build, waiting } = outline
  if (build.state === 'complete') return null
  return waiting[0]?.reason ?? build.lastError ?? currentAttempt(outline)?.lastError ?? null
}
