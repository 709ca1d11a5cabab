// The summary of a build for who was asleep: what is to be decided, what was done and proved, what it took, and how to go on.
import { raisingCommand } from '../../core/money/budget.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import type { CheckoutChanged } from '../../core/fact/fact.ts'
import { formatInstant } from '../../core/values/instant.ts'
import { probeLines, shortSentence } from '../../core/probes/report/probe-text.ts'
import { warningText } from '../../core/attempt/landing.ts'
import { isSettled } from '../../core/task/task.ts'
import type { WaitedTime } from '../../core/builds/waiting.ts'
import type { Replacement } from '../../operations/builds/build-facts.ts'
import type { BuildReport } from '../../operations/read/build-report.ts'
import { planName } from '../../operations/builds/builds.ts'
import { branchOf } from '../../core/builds/build.ts'
import { proofText } from './closing.ts'
import { findingLines, verdictLines } from './findings.ts'
import { clock, count, firstLine, shownLines, shownText, span } from './sanitize.ts'
import { waysOutLines } from './question.ts'
import { budgetText, costText, shortCost, spentText } from './spent-text.ts'
import { isSpent, progressText, removedLines, stateText } from './status-view.ts'

/** The log has the rest. */
const WHY_LINES_MAX = 20
const NAMES_MAX = 20

/** The operator also gets the next command. */
type Reader = 'operator' | 'reviewer'

/** Facts that the report does not contain. */
export interface ReportFacts {
  readonly waited: readonly WaitedTime[]
  readonly checkout: CheckoutChanged | null
  readonly replaced?: readonly Replacement[]
}

export function reportMarkdown(
  report: BuildReport,
  { waited, checkout, replaced = [] }: ReportFacts,
  reader: Reader,
): string {
  const { build, frozen } = report
  const sections = [
    `# Build ${build.id}: ${stateText(report)}\n\n${progressText(report)}.`,
    build.state === 'failed' && build.lastError !== null ? `It failed: ${inline(build.lastError)}` : '',
    `Plan: ${inline(planName(frozen))}. Branch: \`${branchOf(build.id)}\`. ` +
      `Started ${formatInstant(build.startedAt)}, last activity ${formatInstant(build.lastActivityAt)} (UTC), ` +
      `${span(build.lastActivityAt - build.startedAt)} in all.`,
    waitingSection(report),
    warningsSection(report),
    doneSection(report),
    findingsSection(report),
    provedSection(report),
    leftSection(report),
    removedSection(report),
    troubleSection(report),
    spentSection(report),
    replacedSection(replaced),
    waitedSection(waited),
    checkoutSection(checkout),
    reader === 'operator' ? goOnSection(report) : '',
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function waitingSection({ waiting }: BuildReport): string {
  if (waiting.length === 0) return ''
  const items = waiting.map(({ task, title, reason, lastError }) => {
    const why = [...shownLines(reason), ...(lastError === null ? [] : ['', ...shownLines(lastError)])].slice(
      0,
      WHY_LINES_MAX,
    )
    return `### ${inline(task)}: ${inline(title)}\n\n${fenced(why)}\n\nOne of these:\n\n${fenced(waysOutLines(task, '# '), 'sh')}`
  })
  return `## Waits for you\n\n${items.join('\n\n')}`
}

function doneSection({ merged, attempts, spent }: BuildReport): string {
  if (merged.length === 0) return '## Done\n\nNothing was merged.'
  const isSaid = merged.some(({ task }) => shortCost(spent.byTask.get(task)) !== '')
  const rows = merged.map((one) => [
    `\`${one.commit.slice(0, 10)}\``,
    cell(one.task),
    cell(one.title),
    cell(proofText(one)),
    String(attempts.get(one.task)?.number ?? 1),
    ...(isSaid ? [shortCost(spent.byTask.get(one.task))] : []),
  ])
  return `## Done\n\n${table(['Commit', 'Task', 'Title', 'Evidence', 'Attempts', ...(isSaid ? ['Spent'] : [])], rows)}`
}

function findingsSection({ findings }: BuildReport): string {
  if (findings.length === 0) return ''
  const items = findings.map((one) => {
    const lines = [...findingLines(one.findings), ...verdictLines(one)].map((line) => `- ${inline(line)}`)
    return `### ${inline(one.task)}: ${inline(one.title)}\n\n${lines.join('\n')}`
  })
  return `## Second look\n\n${items.join('\n\n')}`
}

/** The last proved tree holds everything that was merged. */
function provedSection(report: BuildReport): string {
  const { merged } = report
  const last = merged.findLast(({ evidence }) => evidence !== null)?.evidence
  if (last == null) return ''
  const checks = last.checks.map((run) => `- ${cell(run.name)}: ${isGreen(run) ? 'green' : 'red'}${testsOf(run)}`)
  const notes = last.notes.map((note) => `- ${inline(note)}`)
  const unproved = merged.filter(({ evidence }) => evidence === null).map(({ task }) => inline(task))
  const onWord = unproved.length === 0 ? [] : [`- on a person's word only: ${unproved.join(', ')}`]
  return `## Proved\n\nOn the last merged tree \`${last.tree.slice(0, 10)}\`:\n\n${[...checks, ...notes, ...onWord].join('\n')}${shownBy(report)}`
}

/** What lies behind the sentence of each merged task. */
function shownBy({ merged, strengths }: BuildReport): string {
  const lines = merged.flatMap(({ task }) => {
    const { sentence = null, probes = null } = strengths.get(task) ?? {}
    if (sentence === null || probes === null) return []
    return [
      `- ${inline(task)}: ${inline(shortSentence(sentence))}`,
      ...probeLines(probes).map((line) => `  - ${quoted(line)}`),
    ]
  })
  return lines.length === 0 ? '' : `\n\nWhat shows each change:\n\n${lines.join('\n')}`
}

function testsOf({ tests, durationMs, versions = [] }: CheckRun): string {
  const ran = tests === null ? '' : `, ${count(tests.run, 'test')}, ${tests.skipped} skipped`
  const by = versions.length === 0 ? '' : `, ${versions.map(inline).join(', ')}`
  return `${ran}, ${clock(durationMs)}${by}`
}

function leftSection({ tasks }: BuildReport): string {
  const left = tasks.filter(({ status }) => status === 'open' || status === 'active' || status === 'skipped')
  if (left.length === 0) return ''
  const unsettled = new Set(tasks.filter(({ status }) => !isSettled(status)).map(({ id }) => id))
  const lines = left.map(({ id, title, status, deps }) => {
    const before = deps.filter((dep) => unsettled.has(dep)).map(inline)
    return `- ${inline(id)} (${before.length === 0 ? status : `after ${before.join(', ')}`}): ${inline(title)}`
  })
  return `## Not done\n\n${lines.join('\n')}`
}

function removedSection(report: BuildReport): string {
  const lines = removedLines(report).map((line) => `- ${inline(line)}`)
  return lines.length === 0 ? '' : `## Removed from the plan\n\n${lines.join('\n')}`
}

/** Tasks that took more than one attempt, or help. */
function troubleSection({ tasks, attempts }: BuildReport): string {
  const lines = tasks.flatMap(({ id }) => {
    const attempt = attempts.get(id)
    if (attempt === undefined || (attempt.number === 1 && attempt.interventions === 0)) return []
    const sia = attempt.interventions === 0 ? '' : `, SIA: ${attempt.techniques.join(', ') || 'no way found'}`
    const last = attempt.lastError === null ? '' : `; last: ${inline(attempt.lastError)}`
    return [`- ${inline(id)}: ${count(attempt.number, 'attempt')}${sia}${last}`]
  })
  return lines.length === 0 ? '' : `## Trouble on the way\n\n${lines.join('\n')}`
}

function spentSection(report: BuildReport): string {
  const { spent, frozen } = report
  const money = budgetText(report)
  const rows = spent.byRole.map((one) => [
    cell(one.role),
    cell(one.agent),
    String(one.sessions),
    clock(one.agentMs),
    one.inputTokens.toLocaleString('en-US'),
    one.outputTokens.toLocaleString('en-US'),
    costText(one) || 'not named',
  ])
  const header = ['Role', 'Agent', 'Sessions', 'Time', 'Tokens in', 'Tokens out', 'Cost']
  return [
    `## Spent\n\n${spentText(spent, frozen.config.limits.maxIterations)}.${money === null ? '' : ` ${money}.`}`,
    ...(rows.length === 0 ? [] : [table(header, rows)]),
  ].join('\n\n')
}

function replacedSection(replaced: readonly Replacement[]): string {
  if (replaced.length === 0) return ''
  const lines = replaced.map(
    ({ role, agent, by, times, reason }) =>
      `- ${inline(by)} in place of ${inline(agent)} (${inline(role)}): ${count(times, 'time')} (${inline(reason)})`,
  )
  return `## Agents that took over\n\nThis cost no attempt.\n\n${lines.join('\n')}`
}

function waitedSection(waited: readonly WaitedTime[]): string {
  if (waited.length === 0) return ''
  const lines = waited.map(
    ({ agent, times, ms, reason }) => `- ${inline(agent)}: ${count(times, 'time')}, ${span(ms)} (${inline(reason)})`,
  )
  return `## Waited for agents\n\nThis cost no attempt.\n\n${lines.join('\n')}`
}

/** The next command for each state. */
function goOnSection(report: BuildReport): string {
  return `## Go on\n\n${fenced(nextCommands(report), 'sh')}`
}

function nextCommands(report: BuildReport): string[] {
  const { build, view, held, budget, merged, isShipped } = report
  const branch = branchOf(build.id)
  const look = merged.length === 0 ? [] : [`git log -p ${branch}`]
  if (build.state === 'complete') return [...look, ...(merged.length === 0 || isShipped ? [] : ['ralph ship'])]
  if (build.state === 'aborted') return [...look, 'ralph recover']
  if (held.size > 0) return ['ralph watch']
  if (view.status === 'human_needed') return ['ralph build   # once what waits is answered']
  return [...look, isSpent(budget) ? raisingCommand(budget.budget) : 'ralph build']
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

function warningsSection({ warnings }: BuildReport): string {
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `- ${escaped(shownText(warningText(warning)))}`)
  return `## Past the engine\n\n${lines.join('\n')}`
}

/** Law 7: only a warning, since a person may work there. */
function checkoutSection(changed: CheckoutChanged | null): string {
  if (changed === null) return ''
  const { refs, paths, more } = changed
  const names = [...refs, ...paths].slice(0, NAMES_MAX)
  const left = refs.length + paths.length + more - names.length
  const rest = left === 0 ? [] : [`- and ${left} more`]
  return [
    '## Your checkout changed meanwhile',
    'By you, or by an agent outside its folder: without a sandbox nobody can tell.',
    [...names.map((name) => `- ${inline(name)}`), ...rest].join('\n'),
  ].join('\n\n')
}

function inline(text: string): string {
  return escaped(firstLine(text))
}

/** Inside backticks Markdown would show the escapes of `<` and `>`. */
function quoted(text: string): string {
  return inline(text.replaceAll('`', "'"))
}

function escaped(text: string): string {
  return text.replaceAll(/[<>]/g, (mark) => (mark === '<' ? '&lt;' : '&gt;'))
}

function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|')
}

/** With a fence that is longer than any in the text. */
function fenced(lines: readonly string[], language = ''): string {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`
}
