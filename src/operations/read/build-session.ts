// A build for programs that know sessions.
import type { SessionStatus } from '../../core/builds/build.ts'
import type { Task, TaskType } from '../../core/task/task.ts'
import { lastErrorOf, progressOf } from './build-outline.ts'
import { type BuildReport, changedFiles } from './build-report.ts'

export interface TaskDefinition {
  readonly id: string
  readonly name: string
  readonly type: TaskType | null
  readonly description: string | null
  readonly acceptance: readonly string[]
  readonly dependsOn: readonly string[]
  readonly filesExpected: readonly string[]
}

export interface BuildSession {
  readonly id: string
  readonly ideaId: string
  readonly specId: string | null
  readonly status: SessionStatus
  /** In plan order; the parts of a split task replace it. */
  readonly tasks: readonly TaskDefinition[]
  /** The first unsettled task. */
  readonly currentTaskIndex: number
  readonly completedTasks: readonly string[]
  /** Tasks that wait for a human, and skipped ones. */
  readonly failedTasks: readonly string[]
  readonly currentAttempt: number
  /** Why it waits for a human, else what went wrong last; null where nothing did, and once it is complete. */
  readonly lastError: string | null
  readonly siaInterventions: number
  readonly generatedFiles: readonly string[]
  readonly gitCommits: readonly string[]
  readonly startedAt: Date
  readonly lastActivityAt: Date
}

export function sessionOf(report: BuildReport): BuildSession {
  const { build, view, tasks, merged, spent } = report
  return {
    id: build.id,
    ideaId: build.idea,
    specId: build.spec,
    status: view.status,
    tasks: tasks.map(taskDefinition),
    currentTaskIndex: view.currentTaskIndex,
    completedTasks: view.completedTasks,
    failedTasks: view.failedTasks,
    currentAttempt: progressOf(report).currentAttempt,
    lastError: lastErrorOf(report),
    siaInterventions: spent.interventions,
    generatedFiles: changedFiles(report),
    gitCommits: merged.map(({ commit }) => commit),
    startedAt: new Date(build.startedAt),
    lastActivityAt: new Date(build.lastActivityAt),
  }
}

export function taskDefinition(task: Task): TaskDefinition {
  return {
    id: task.id,
    name: task.title,
    type: task.type,
    description: task.description,
    acceptance: task.acceptance,
    dependsOn: task.deps,
    filesExpected: task.filesExpected,
  }
}
