// The status of a build as text and as JSON.
import type { Attempt } from '../../core/attempt/attempt.ts'
import { isOver, raisingCommand } from '../../core/money/budget.ts'
import type { Instant } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { OutageRecord } from '../../core/builds/attachment.ts'
import { warningText } from '../../core/attempt/landing.ts'
import { claimOf } from '../../core/task/claim.ts'
import { isReported } from '../../core/task/reported.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildReport, MergedTask } from '../../operations/read/build-report.ts'
import { planName } from '../../operations/builds/builds.ts'
import { lastErrorOf } from '../../operations/read/build-outline.ts'
import { table } from '../table.ts'
import { branchOf } from '../../core/builds/build.ts'
import { mergedJson, proofText } from './closing.ts'
import { findingsJson, findingsText } from './findings.ts'
import { count, firstLine, shortened, shownLines, shownText, span, timeAhead } from './sanitize.ts'
import { questionText } from './question.ts'
import { budgetText, shortCost, spentJson, spentText } from './spent-text.ts'

export function statusText(report: BuildReport): string {
  const { build, frozen, tasks, waiting } = report
  const money = budgetText(report)
  const findings = findingsText(report)
  return [
    `Build ${build.id}: ${stateText(report)}`,
    `Branch ${branchOf(build.id)}${frozen.where === 'in-place' ? ' in your checkout' : ''}, plan: ${firstLine(planText(report))}`,
    `Started ${formatInstant(build.startedAt)}, last activity ${formatInstant(build.lastActivityAt)} (UTC)`,
    progressText(report),
    ...removedLines(report).map((line) => `Removed from the plan: ${line}`),
    spentText(report.spent, frozen.config.limits.maxIterations),
    ...(money === null ? [] : [money]),
    ...report.outages.map((outage) => outageText(outage, report.now)),
    ...(build.state === 'paused' && build.lastError !== null
      ? [`Stopped: ${shownLines(build.lastError).join('\n')}`]
      : []),
    ...report.warnings.map((warning) => `Warning: ${shownText(warningText(warning))}`),
    ...(build.state === 'failed' && build.lastError !== null ? [`Failed: ${firstLine(build.lastError)}`] : []),
    '',
    ...(tasks.length === 0 ? [] : [taskTable(report)]),
    ...(findings === '' ? [] : [findings]),
    ...waiting.map(questionText),
  ].join('\n')
}

/** People know an idea by its title, not by its id. */
function planText({ frozen, name }: BuildReport): string {
  return frozen.seed?.from === 'idea' ? `${name} (${planName(frozen)})` : planName(frozen)
}

function outageText({ role, agent, by, until, reason }: OutageRecord, now: Instant): string {
  const left = `until ${timeAhead(until, now)}, ${span(until - now)} left`
  return `${by} works in place of ${agent} (${role}) ${left}: ${firstLine(reason)}`
}

/** The status in plain words. */
export function stateText(report: BuildReport): string {
  const { build, view, held, budget, planning } = report
  switch (view.status) {
    case 'paused':
      return "paused ('ralph build' goes on)"
    case 'complete':
      return report.isShipped ? 'complete and shipped' : 'complete'
    case 'failed':
      return build.state === 'aborted' ? 'aborted' : "failed ('ralph build' tries again)"
    case 'human_needed':
      return 'waiting for you'
    case 'active':
      if (planning?.isHeld === true) return `running (${view.phase})`
      if (held.size > 0) return onlyLimits(report) ?? `running (${view.phase})`
      if (isSpent(budget)) return `the budget is spent ('${raisingCommand(budget.budget)}' goes on)`
      return "nobody works on it now ('ralph build' goes on)"
  }
}

export function isSpent({ budget, charged }: BuildReport['budget']): boolean {
  return isOver(budget, { usd: budget.usd ?? 0, tokens: budget.tokens ?? 0 }, charged)
}

/** A build whose loops all wait is itself waiting. */
function onlyLimits({ held, attempts, now }: BuildReport): string | null {
  const limits = [...held].map((id) => {
    const attempt = attempts.get(id)
    return attempt === undefined ? null : limitText(attempt, now)
  })
  return limits.includes(null) ? null : (limits.toSorted()[0] ?? null)
}

/** A line each. */
export function removedLines({ removed }: Pick<BuildReport, 'removed'>): string[] {
  return removed.map(({ id, title, at, during }) => {
    const asks = during === 'session' ? ", while an agent worked: 'ralph ship' asks about it" : ''
    return `'${shownText(id)}' ${firstLine(title)} (${formatInstant(at)} UTC${asks})`
  })
}

export function progressText({ tasks, planning, held }: Pick<BuildReport, 'tasks' | 'planning' | 'held'>): string {
  if (planning !== null) return planning.attempt < 2 ? 'No plan yet' : `No plan yet, after ${planning.attempt} tries`
  const of = (...statuses: readonly Task['status'][]): number =>
    tasks.filter(({ status }) => statuses.includes(status)).length
  const worked = tasks.filter(({ id, status }) => status === 'active' && held.has(id)).length
  const reported = tasks.filter(isReported).length
  const rest = [
    { number: reported, what: 'reported done' },
    { number: worked, what: 'being worked on' },
    { number: of('active') - worked, what: 'begun' },
    { number: of('waiting'), what: 'waiting for you' },
    { number: of('skipped'), what: 'skipped' },
    { number: of('open'), what: 'to do' },
  ]
  const others = rest.flatMap(({ number, what }) => (number === 0 ? [] : [`${number} ${what}`]))
  return [`${of('done') - reported} of ${count(tasks.length, 'task')} done`, ...others].join(', ')
}

/** Notes are short, so that titles stay visible; questions to a human follow in full. */
const NOTE_WIDTH_MAX = 78

function taskTable(report: BuildReport): string {
  const { tasks, attempts, merged, held, now, spent } = report
  const byTask = new Map(merged.map((one) => [one.task, one]))
  // Some agents do not report their usage.
  const isSaid = [...spent.byTask.values()].some((one) => shortCost(one) !== '')
  const rows = tasks.map((task) => {
    const attempt = attempts.get(task.id) ?? null
    const note = held.has(task.id)
      ? workText(task, attempt, now)
      : (reportNote(task) ?? noteOn(report, attempt, byTask.get(task.id)))
    const cost = isSaid ? [shortCost(spent.byTask.get(task.id))] : []
    return [
      shownText(task.id),
      task.status,
      tries(attempt),
      ...cost,
      shortened(note, NOTE_WIDTH_MAX),
      firstLine(task.title),
    ]
  })
  return table(['TASK', 'STATUS', 'TRY', ...(isSaid ? ['SPENT'] : []), 'NOTE', 'TITLE'], rows)
}

/** `2.3`: the third iteration of the second attempt; `2`: no iteration of it has ended yet. */
function tries(attempt: Attempt | null): string {
  if (attempt === null) return ''
  return attempt.iteration === 0 ? `${attempt.number}` : `${attempt.number}.${attempt.iteration}`
}

function workText({ assignee }: Task, attempt: Attempt | null, now: Instant): string {
  const doing = attempt === null ? 'starting' : (limitText(attempt, now) ?? attempt.phase.at)
  return `${doing} (${assignee ?? ''})`
}

/** Null: it does not wait for an agent, or not any more. */
function limitText({ phase }: Attempt, now: Instant): string | null {
  if (phase.at !== 'limited' || phase.until <= now) return null
  return `waiting for ${phase.agent} until ${timeAhead(phase.until, now)}, ${span(phase.until - now)} left`
}

/** Null: nobody reported it done outside a build. */
function reportNote(task: Task): string | null {
  if (task.status !== 'done' || task.reportedDone === null) return null
  const { verified } = task.reportedDone
  if (verified === undefined) return 'reported done, not verified yet'
  return `reported done, verified on ${verified.commit.slice(0, 10)}`
}

function noteOn({ now, strengths }: BuildReport, attempt: Attempt | null, merged: MergedTask | undefined): string {
  if (merged !== undefined) return `${merged.commit.slice(0, 10)} ${proofText(merged)}`
  if (attempt === null) return ''
  const { phase } = attempt
  if (phase.at === 'waiting') return firstLine(phase.reason)
  const limit = limitText(attempt, now)
  if (limit !== null) return limit
  if (phase.at === 'settled') return ''
  return firstLine(attempt.lastError ?? strengths.get(attempt.task)?.sentence ?? '')
}

export function statusJson(report: BuildReport): Record<string, unknown> {
  const { build, frozen, view, tasks, attempts, merged, waiting, findings, spent, budget, outages } = report
  const done = new Map(merged.map((one) => [one.task, mergedJson(one)]))
  return {
    sessionId: build.id,
    name: report.name,
    ideaId: build.idea,
    state: build.state,
    ...view,
    branch: branchOf(build.id),
    source: frozen.source,
    plan: planName(frozen),
    planning: report.planning,
    where: frozen.where,
    configHash: build.configHash,
    lastError: lastErrorOf(report),
    startedAt: build.startedAt,
    lastActivityAt: build.lastActivityAt,
    iterationsMax: frozen.config.limits.maxIterations,
    spent: spentJson(spent),
    budget,
    replaced: outages.map(({ role, agent, by, until, reason }) => ({ role, agent, by, until, reason })),
    warnings: report.warnings.map(warningText),
    waiting,
    findings: findings.map(findingsJson),
    removed: report.removed,
    tasks: tasks.map((task) => ({
      ...taskJson(task, attempts.get(task.id) ?? null, done.get(task.id) ?? null),
      strength: report.strengths.get(task.id)?.strength ?? null,
      sentence: report.strengths.get(task.id)?.sentence ?? null,
      spent: spent.byTask.get(task.id) ?? null,
    })),
  }
}

/** Everything that the probes saw, of each task with a green tree. */
export function evidenceJson({ tasks, strengths, merged }: BuildReport): readonly Record<string, unknown>[] {
  const commits = new Map(merged.map(({ task, commit }) => [task, commit]))
  return tasks.flatMap(({ id }) => {
    const found = strengths.get(id)
    return found === undefined ? [] : [{ task: id, commit: commits.get(id) ?? null, ...found }]
  })
}

function limitOf(attempt: Attempt | null) {
  if (attempt?.phase.at !== 'limited') return null
  const { agent, until, reason } = attempt.phase
  return { agent, until, reason }
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
    limit: limitOf(attempt),
    claim: claimOf(task).claim,
    reported: isReported(task),
    attempt: attempt?.number ?? 0,
    iteration: attempt?.iteration ?? 0,
    interventions: attempt?.interventions ?? 0,
    lastError: attempt?.lastError ?? null,
    merged,
  }
}
