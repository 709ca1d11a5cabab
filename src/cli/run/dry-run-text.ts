// The result of a dry run as text.
import { originOf } from '../../config/settings/config.ts'
import { type Budget, formatBudget, isLimited } from '../../core/money/budget.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import { renderCounts } from '../../core/plan/plan.ts'
import type { DryRun, PromptCheck } from '../../operations/plans/dry-run.ts'
import { workersOf } from '../../operations/builds/workers.ts'
import { clock, count, firstLine, shownText, timeOfDay } from '../text/sanitize.ts'
import type { BuildOptions } from './options.ts'

export function dryText(found: DryRun, options: BuildOptions, plan: string, budget: Budget): string {
  const { build, counts, agent, planner, config, prompt, recent } = found
  const isNothing = build === null && planner === null && counts.open + counts.active + counts.blocked === 0
  const would = isNothing
    ? 'nothing to do'
    : build === null
      ? 'would start a new build'
      : `would go on with ${build.id}, which is ${build.state}`
  const rows: (readonly [string, readonly string[]])[] = [
    ['Build', [isNothing ? would : `${would}, over ${firstLine(plan)}`]],
    ...(planner === null ? [] : [['Planner', plannerLines(planner)] as const]),
    ['Tasks', [renderCounts(counts)]],
    ['Next', [planner === null ? nextText(found) : 'the plan; it is not asked for now']],
    ['Agent', [`${agent.name}: ${shownText(agent.command)}`, readyText(agent.readiness)]],
    ...(found.fallbacks.length === 0 ? [] : [['Fallback', found.fallbacks.map(standbyText)] as const]),
    ['Checks', checkLines(config)],
    ['Setup', [config.workspace.setup ?? 'none']],
    ['Limits', limitLines(found, options, budget)],
    ['Prompt', [prompt === null || planner !== null ? 'none, since nothing is next' : promptText(prompt)]],
    ['Last tries', recent.length === 0 ? ['none'] : recent.map(tryText)],
  ]
  return rows
    .flatMap(([name, lines]) => lines.map((line, at) => `${(at === 0 ? name : '').padEnd(12)}${line}`.trimEnd()))
    .join('\n')
    .concat('\n')
}

function plannerLines({ name, command, readiness, prompt }: NonNullable<DryRun['planner']>): string[] {
  return [`${name}: ${shownText(command)}`, readyText(readiness), `prompt ${promptText(prompt)}`]
}

function nextText({ next, offer }: DryRun): string {
  if (offer !== null && offer.length > 0) return `the session chooses one of ${offer.map(shownText).join(', ')}`
  if (next === null) return 'nothing can be begun now'
  const { id, title, attempt, iteration, does } = next
  const step = does === 'iterate' ? `iteration ${iteration}` : `to ${does}`
  return `${shownText(id)}: ${firstLine(title)} (attempt ${attempt}, ${step})`
}

function standbyText({ name, readiness }: DryRun['fallbacks'][number]): string {
  return `${name}: ${readyText(readiness)}`
}

function readyText(readiness: DryRun['agent']['readiness']): string {
  if (!readiness.ready) return `NOT READY: ${readiness.reason}`
  return readiness.detail === undefined ? 'ready' : `ready: ${readiness.detail}`
}

function checkLines(config: DryRun['config']): string[] {
  if (config.checks.length + config.validators.length === 0)
    return ["NONE: nothing could be verified; 'ralph init' looks for some, or add [checks] to ralph.toml"]
  const checks = config.checks.map(({ name, command }) => {
    const from = originOf(config, `checks.${name}`)
    return `${name}: ${shownText(command)}  (${from})`
  })
  return [...checks, ...config.validators.map(({ name, command }) => `${name} (validator): ${shownText(command)}`)]
}

function limitLines(
  { config, iterationsDone }: DryRun,
  { limits: run, workers: said, where }: BuildOptions,
  budget: Budget,
): string[] {
  const { attempts, interventions, iterations, maxIterations } = config.limits
  const workers = workersOf(config, where, said)
  const money = isLimited(budget) ? `a budget of ${formatBudget(budget)}` : 'no budget'
  const asked = [
    ...(run.mode === 'one-iteration' ? ['one iteration'] : []),
    ...(run.iterationsMax === null ? [] : [count(run.iterationsMax, 'iteration')]),
    ...(run.until === null ? [] : [`until ${timeOfDay(run.until)}`]),
    ...(workers === 1 ? [] : [`${workers} workers`]),
    ...(where === 'isolated' ? [] : ['in your checkout']),
  ]
  return [
    `${count(attempts, 'attempt')} before SIA, ${count(interventions, 'intervention')} before a human`,
    `${count(iterations, 'iteration')} an attempt, ${iterationsDone} of ${maxIterations} done in this build, ${money}`,
    ...(asked.length === 0 ? [] : [`this run: ${asked.join(', ')}`]),
  ]
}

function promptText(prompt: PromptCheck): string {
  if ('problem' in prompt) return `NOT VALID: ${firstLine(prompt.problem)}`
  return `valid: every placeholder is filled, about ${count(prompt.tokens, 'token')}`
}

function tryText({ task, attempt, iteration, startedAt, durationMs, signal, error }: IterationRecord): string {
  const end = error === null ? (signal ?? 'no signal') : firstLine(error)
  return `${formatInstant(startedAt)}  ${shownText(task)} ${attempt}.${iteration}  ${clock(durationMs)}  ${end}`
}
