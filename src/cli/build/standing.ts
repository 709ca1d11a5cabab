// How a build stands, in words and as JSON.
import type { Attempt } from '../../core/attempt.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Task } from '../../core/task.ts'
import type { BuildReport, Merged, Spent } from '../../operations/build-report.ts'
import { planName } from '../../operations/builds.ts'
import { table } from '../table.ts'
import { branchOf, mergedJson, proofText } from './closing.ts'
import { clock, count, firstLine, shownText } from './plain.ts'
import { questionText } from './question.ts'

export function statusText(report: BuildReport): string {
  const { build, frozen, tasks, waiting } = report
  return [
    `Build ${build.id}: ${stateText(report)}`,
    `Branch ${branchOf(build.id)}${frozen.where === 'in-place' ? ' in your checkout' : ''}, plan: ${firstLine(planName(frozen))}`,
    `Started ${formatInstant(build.startedAt)}, last activity ${formatInstant(build.lastActivityAt)} (UTC)`,
    progressText(report),
    spentText(report.spent, frozen.config.limits.maxIterations),
    ...(build.state === 'failed' && build.lastError !== null ? [`Failed: ${firstLine(build.lastError)}`] : []),
    '',
    ...(tasks.length === 0 ? [] : [taskTable(report)]),
    ...waiting.map(questionText),
  ].join('\n')
}

/** What a person would say of it. */
export function stateText({ build, view, held, planning }: BuildReport): string {
  switch (view.status) {
    case 'paused':
      return "paused ('ralph build' goes on)"
    case 'complete':
      return 'complete'
    case 'failed':
      return build.state === 'aborted' ? 'aborted' : "failed ('ralph build' tries again)"
    case 'human_needed':
      return 'waiting for you'
    case 'active':
      return held.size > 0 || planning?.isHeld === true
        ? `running (${view.phase})`
        : "nobody works on it now ('ralph build' goes on)"
  }
}

export function progressText({ tasks, planning }: Pick<BuildReport, 'tasks' | 'planning'>): string {
  if (planning !== null) return planning.attempt < 2 ? 'No plan yet' : `No plan yet, after ${planning.attempt} tries`
  const of = (...statuses: readonly Task['status'][]): number =>
    tasks.filter(({ status }) => statuses.includes(status)).length
  const rest = [
    { number: of('active'), what: 'being worked on' },
    { number: of('waiting'), what: 'waiting for you' },
    { number: of('skipped'), what: 'skipped' },
    { number: of('open'), what: 'to do' },
  ]
  const others = rest.flatMap(({ number, what }) => (number === 0 ? [] : [`${number} ${what}`]))
  return [`${of('done')} of ${count(tasks.length, 'task')} done`, ...others].join(', ')
}

export function spentText(spent: Spent, iterationsMax: number): string {
  const money = spent.costUsd === null ? '' : `, $${spent.costUsd.toFixed(2)}`
  const tokens =
    spent.inputTokens + spent.outputTokens === 0
      ? ''
      : `, ${count(spent.inputTokens, 'token')} in, ${spent.outputTokens.toLocaleString('en-US')} out`
  const sia = spent.interventions === 0 ? '' : `, ${count(spent.interventions, 'intervention')} of SIA`
  return `${spent.iterations} of ${count(iterationsMax, 'iteration')}, ${clock(spent.agentMs)} of agents at work${sia}${tokens}${money}`
}

function taskTable({ tasks, attempts, merged, held }: BuildReport): string {
  const byTask = new Map(merged.map((one) => [one.task, one]))
  const rows = tasks.map((task) => {
    const attempt = attempts.get(task.id) ?? null
    const note = held.has(task.id) ? workText(task, attempt) : noteOn(attempt, byTask.get(task.id))
    return [shownText(task.id), task.status, tries(attempt), note, firstLine(task.title)]
  })
  return table(['TASK', 'STATUS', 'TRY', 'NOTE', 'TITLE'], rows)
}

/** `2.3`: the third iteration of the second attempt. */
function tries(attempt: Attempt | null): string {
  return attempt === null ? '' : `${attempt.number}.${attempt.iteration}`
}

function workText({ assignee }: Task, attempt: Attempt | null): string {
  return `${attempt?.phase.at ?? 'starting'} (${assignee ?? ''})`
}

function noteOn(attempt: Attempt | null, merged: Merged | undefined): string {
  if (merged !== undefined) return `${merged.commit.slice(0, 10)} ${proofText(merged)}`
  if (attempt === null) return ''
  const { phase } = attempt
  if (phase.at === 'waiting') return firstLine(phase.reason)
  return attempt.lastError === null || phase.at === 'settled' ? '' : firstLine(attempt.lastError)
}

export function statusJson(report: BuildReport): Record<string, unknown> {
  const { build, frozen, view, tasks, attempts, merged, waiting, spent } = report
  const done = new Map(merged.map((one) => [one.task, mergedJson(one)]))
  return {
    sessionId: build.id,
    ideaId: build.idea,
    state: build.state,
    ...view,
    branch: branchOf(build.id),
    source: frozen.source,
    plan: planName(frozen),
    planning: report.planning,
    where: frozen.where,
    configHash: build.configHash,
    lastError: build.lastError,
    startedAt: build.startedAt,
    lastActivityAt: build.lastActivityAt,
    iterationsMax: frozen.config.limits.maxIterations,
    spent,
    waiting,
    tasks: tasks.map((task) => taskJson(task, attempts.get(task.id) ?? null, done.get(task.id) ?? null)),
  }
}

function taskJson(task: Task, attempt: Attempt | null, merged: Record<string, unknown> | null) {
  const { id, title, status, deps, assignee, leaseExpiresAt } = task
  return {
    id,
    title,
    status,
    deps,
    assignee,
    leaseExpiresAt,
    phase: attempt?.phase.at ?? null,
    attempt: attempt?.number ?? 0,
    iteration: attempt?.iteration ?? 0,
    interventions: attempt?.interventions ?? 0,
    lastError: attempt?.lastError ?? null,
    merged,
  }
}
