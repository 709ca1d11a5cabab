// A build for products that know sessions.
import { standingOf } from '../../core/builds/build.ts'
import type { Task } from '../../core/task/task.ts'
import { lastErrorOf, progressOf } from './build-outline.ts'
import { type BuildReport, changedFiles, isDriven } from './build-report.ts'
import type { StartedStatus } from '../contract/session-status.ts'

export function sessionStatusOf(report: BuildReport): StartedStatus {
  const { build, view, tasks, merged, waiting } = report
  const progress = progressOf(report)
  return {
    sessionId: build.id,
    ideaId: build.idea,
    status: view.status,
    progress,
    siaInterventions: report.spent.interventions,
    lastError: lastErrorOf(report),
    generatedFiles: changedFiles(report).length,
    commits: merged.length,
    specId: build.spec,
    startedAt: build.startedAt,
    lastActivityAt: build.lastActivityAt,
    tasks: tasks.map((task) => sessionTask(task, report)),
    completedTasks: [...view.completedTasks],
    failedTasks: [...view.failedTasks],
    currentTaskIndex: view.currentTaskIndex,
    currentAttempt: progress.currentAttempt,
    isDriven: isDriven(report),
    waiting: waiting.map(({ task, title, reason }) => ({ taskId: task, taskName: title, reason })),
  }
}

function sessionTask(task: Task, { attempts, strengths }: BuildReport): StartedStatus['tasks'][number] {
  const attempt = attempts.get(task.id) ?? null
  return {
    id: task.id,
    name: task.title,
    type: task.type,
    status: standingOf(task, attempt, 'finished').card ?? 'pending',
    attempt: attempt?.number ?? 0,
    dependsOn: [...task.deps],
    lastError: task.status === 'done' ? null : (attempt?.lastError ?? null),
    strength: strengths.get(task.id)?.strength ?? null,
    sentence: strengths.get(task.id)?.sentence ?? null,
  }
}
