// A build: one run over a plan. Its status and phase are derived from the stored state, in the vocabulary of each
// interface.
import type { Attempt, Phase } from '../attempt/attempt.ts'
import type { Fact } from '../fact/fact.ts'
import type { BuildId, IdeaId, Instant, TaskId } from '../values/id.ts'
import { blockers, planColumn, type PlanCounts } from '../plan/plan.ts'
import { isReported } from '../task/reported.ts'
import { isSettled, type Task } from '../task/task.ts'

/** The decisions of the operator and the engine about a build; everything else is derived. */
export type BuildState = 'running' | 'paused' | 'aborted' | 'failed' | 'complete'

/** The branch that holds the verified work of a build. */
export function branchOf(build: string): string {
  return `ralph/${build}`
}

/** A build in such a state accepts no further decision. */
export function isOver(state: BuildState): state is 'complete' | 'aborted' {
  return state === 'complete' || state === 'aborted'
}

export interface Build {
  readonly id: BuildId
  readonly idea: IdeaId
  readonly spec: string | null
  readonly state: BuildState
  /** sha256 of the config that this build was frozen with. */
  readonly configHash: string
  readonly lastError: string | null
  readonly startedAt: Instant
  readonly lastActivityAt: Instant
}

/** The error that blocks the build as a whole, after this fact. */
export function lastErrorAfter({ lastError }: Pick<Build, 'lastError'>, fact: Fact): string | null {
  if (fact.type === 'baselineFailed') return `${fact.error}\n${fact.fix}`
  if (fact.type === 'baselineDone' || fact.type === 'buildResumed') return null
  return fact.type === 'buildFailed' ? fact.error : lastError
}

/** The status of a build for products that know sessions. */
export type SessionStatus = 'active' | 'paused' | 'complete' | 'failed' | 'human_needed'

/** The phase of a build for products that step through it. */
export type StepPhase =
  | 'planning'
  | 'implementing'
  | 'verifying'
  | 'reviewing'
  | 'iterating'
  | 'ready'
  | 'aborted'
  | 'error'

export type StepTaskStatus = 'todo' | 'doing' | 'done' | 'blocked'

/** The status of one task in every vocabulary; null where a vocabulary has no word for it. */
export interface Standing {
  readonly status: Task['status']
  readonly column: keyof PlanCounts
  readonly phase: StepPhase | null
  readonly stepTask: StepTaskStatus | null
  readonly card: 'pending' | 'running' | 'completed' | 'failed' | null
}

export function standingOf(task: Task, attempt: Attempt | null, waitsFor: 'finished' | 'unfinished'): Standing {
  const { status } = task
  const column = planColumn(task, waitsFor)
  switch (status) {
    case 'open':
      return { status, column, phase: null, stepTask: 'todo', card: 'pending' }
    case 'active':
      return { status, column, phase: activePhase(task, attempt), stepTask: 'doing', card: 'running' }
    case 'waiting':
      return { status, column, phase: 'iterating', stepTask: 'blocked', card: 'failed' }
    case 'done':
      return { status, column, phase: null, stepTask: 'done', card: 'completed' }
    case 'skipped':
      return { status, column, phase: null, stepTask: 'blocked', card: 'failed' }
    case 'split':
    case 'deleted':
      return { status, column, phase: null, stepTask: null, card: null }
  }
}

function activePhase({ reportedDone }: Task, attempt: Attempt | null): StepPhase {
  if (reportedDone !== null && (attempt === null || attempt.phase.at === 'working')) return 'verifying'
  return attempt === null ? 'implementing' : stepPhaseOf(attempt.phase, attempt)
}

function stepPhaseOf(phase: Phase, attempt: Attempt): StepPhase {
  switch (phase.at) {
    case 'working':
      return attempt.feedback.length > 0 || attempt.number > 1 ? 'iterating' : 'implementing'
    case 'verifying':
      return 'verifying'
    case 'reviewing':
    case 'objecting':
    case 'merging':
      return 'reviewing'
    case 'intervening':
    case 'escalating':
    case 'waiting':
      return 'iterating'
    case 'limited':
      return stepPhaseOf(phase.resumes, attempt)
    case 'settled':
      return 'reviewing'
  }
}

export interface BuildView {
  readonly status: SessionStatus
  readonly phase: StepPhase
  readonly currentTaskId: TaskId | null
  /** The index of the first unsettled task in plan order; the number of tasks when all are settled. */
  readonly currentTaskIndex: number
  readonly completedTasks: readonly TaskId[]
  readonly failedTasks: readonly TaskId[]
}

/** `tasks` come in plan order, without split and deleted ones: their subtasks take their place. */
export function viewBuild(build: Build, tasks: readonly Task[], attempts: ReadonlyMap<TaskId, Attempt>): BuildView {
  const first = tasks.findIndex((task) => !isSettled(task.status))
  const current = currentTask(tasks)
  return {
    status: sessionStatus(build, tasks),
    phase: buildPhase(build, tasks, current === null ? null : phaseOf(current, attempts.get(current.id) ?? null)),
    currentTaskId: current?.id ?? null,
    currentTaskIndex: first === -1 ? tasks.length : first,
    completedTasks: tasks.filter((task) => task.status === 'done' && !isReported(task)).map((task) => task.id),
    failedTasks: tasks.filter((task) => task.status === 'waiting' || task.status === 'skipped').map((task) => task.id),
  }
}

/** The active task; else the next one; else the one that waits for a human; else the one that it blocks. */
function currentTask(tasks: readonly Task[]): Task | null {
  const isReady = readyIn(tasks)
  return (
    tasks.find((task) => task.status === 'active') ??
    tasks.find(isReady) ??
    tasks.find((task) => task.status === 'waiting') ??
    tasks.find((task) => task.status === 'open') ??
    null
  )
}

/** A task that was released in the middle is open, and its attempt keeps its phase. */
function phaseOf(task: Task, attempt: Attempt | null): StepPhase | null {
  if (task.status === 'open' && attempt !== null && attempt.phase.at !== 'settled') return activePhase(task, attempt)
  return standingOf(task, attempt, 'finished').phase
}

function sessionStatus(build: Build, tasks: readonly Task[]): SessionStatus {
  switch (build.state) {
    case 'paused':
      return 'paused'
    case 'aborted':
    case 'failed':
      return 'failed'
    case 'complete':
      return 'complete'
    case 'running':
      return canRun(tasks) || !tasks.some((task) => task.status === 'waiting') ? 'active' : 'human_needed'
  }
}

/** Whether any task is active or ready. */
function canRun(tasks: readonly Task[]): boolean {
  const isReady = readyIn(tasks)
  return tasks.some((task) => task.status === 'active' || isReady(task))
}

function readyIn(tasks: readonly Task[]): (task: Task) => boolean {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const statusOf = (id: TaskId) => byId.get(id)?.status ?? 'deleted'
  return (task) => task.status === 'open' && blockers(task, statusOf) === 'finished'
}

function buildPhase(build: Build, tasks: readonly Task[], current: StepPhase | null): StepPhase {
  if (build.state === 'aborted') return 'aborted'
  if (build.state === 'failed') return 'error'
  if (build.state === 'complete') return 'ready'
  if (tasks.length === 0) return 'planning'
  return current ?? 'implementing'
}
