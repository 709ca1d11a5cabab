// How a build stands, to products that know sessions.
import { standingOf } from '../../core/builds/build.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildReport } from './build-report.ts'
import type { StartedStatus } from '../contract/session-status.ts'

export function sessionStatusOf(report: BuildReport): StartedStatus {
  const { build, view, tasks, attempts, merged, waiting } = report
  const current = tasks.find(({ id }) => id === view.currentTaskId)
  const attempt = current === undefined ? undefined : attempts.get(current.id)
  const currentAttempt = attempt?.number ?? 0
  return {
    sessionId: build.id,
    ideaId: build.idea,
    status: view.status,
    progress: {
      total: tasks.length,
      completed: view.completedTasks.length,
      failed: view.failedTasks.length,
      current: current?.title ?? null,
      currentAttempt,
    },
    siaInterventions: report.spent.interventions,
    lastError: lastErrorOf(report),
    generatedFiles: new Set(merged.flatMap(({ evidence }) => evidence?.changed ?? [])).size,
    commits: merged.length,
    specId: build.spec,
    startedAt: build.startedAt,
    lastActivityAt: build.lastActivityAt,
    tasks: tasks.map((task) => sessionTask(task, report)),
    completedTasks: [...view.completedTasks],
    failedTasks: [...view.failedTasks],
    currentTaskIndex: view.currentTaskIndex,
    currentAttempt,
    isDriven: report.held.size > 0 || report.planning?.isHeld === true,
    waiting: waiting.map(({ task, title, reason }) => ({ taskId: task, taskName: title, reason })),
  }
}

/** What stands in its way, the same in every face: why it waits for a human, else what went wrong last. */
export function lastErrorOf({ build, view, attempts, waiting }: BuildReport): string | null {
  if (build.state === 'complete') return null
  const current = view.currentTaskId === null ? undefined : attempts.get(view.currentTaskId)
  return waiting[0]?.reason ?? build.lastError ?? current?.lastError ?? null
}

function sessionTask(task: Task, { attempts }: BuildReport): StartedStatus['tasks'][number] {
  const attempt = attempts.get(task.id) ?? null
  return {
    id: task.id,
    name: task.title,
    type: task.type,
    status: standingOf(task, attempt, 'finished').card ?? 'pending',
    attempt: attempt?.number ?? 0,
    dependsOn: [...task.deps],
    lastError: task.status === 'done' ? null : (attempt?.lastError ?? null),
  }
}
