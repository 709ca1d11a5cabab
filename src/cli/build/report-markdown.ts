// The summary of a build for who was asleep: done, proved, spent, and what is to be decided.
import type { CheckRun } from '../../core/evidence.ts'
import { isGreen } from '../../core/evidence.ts'
import type { CheckoutChanged } from '../../core/fact.ts'
import { formatInstant } from '../../core/instant.ts'
import type { BuildReport } from '../../operations/build-report.ts'
import { planName } from '../../operations/builds.ts'
import { branchOf, proofText } from './closing.ts'
import { clock, count, firstLine, shownLines } from './plain.ts'
import { progressText, spentText, stateText } from './standing.ts'

/** The log has the rest. */
const WHY_LINES_MAX = 20
const NAMES_MAX = 20

export function reportMarkdown(report: BuildReport, checkout: CheckoutChanged | null = null): string {
  const { build, frozen } = report
  const sections = [
    `# Build ${build.id}: ${stateText(report)}\n\n${progressText(report)}.`,
    `Plan: ${inline(planName(frozen))}. Branch: \`${branchOf(build.id)}\`. ` +
      `Started ${formatInstant(build.startedAt)}, last activity ${formatInstant(build.lastActivityAt)} (UTC).`,
    waitingSection(report),
    doneSection(report),
    provedSection(report),
    leftSection(report),
    `## Spent\n\n${spentText(report.spent, frozen.config.limits.maxIterations)}.`,
    troubleSection(report),
    checkoutSection(checkout),
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
    return `### ${inline(task)}: ${inline(title)}\n\n${fenced(why)}\n\n\`ralph open ${inline(task)}\`, then \`ralph resolve\`; or \`ralph answer\`, \`ralph retry\`, \`ralph skip\`.`
  })
  return `## Waits for you\n\n${items.join('\n\n')}`
}

function doneSection({ merged }: BuildReport): string {
  if (merged.length === 0) return '## Done\n\nNothing was merged.'
  const rows = merged.map(
    (one) => `| \`${one.commit.slice(0, 10)}\` | ${cell(one.task)} | ${cell(one.title)} | ${cell(proofText(one))} |`,
  )
  return `## Done\n\n| Commit | Task | Title | Evidence |\n|---|---|---|---|\n${rows.join('\n')}`
}

/** The last proved tree holds everything that was merged. */
function provedSection({ merged }: BuildReport): string {
  const last = merged.findLast(({ evidence }) => evidence !== null)?.evidence
  if (last == null) return ''
  const checks = last.checks.map((run) => `- ${cell(run.name)}: ${isGreen(run) ? 'green' : 'red'}${testsOf(run)}`)
  const notes = last.notes.map((note) => `- ${inline(note)}`)
  return `## Proved\n\nOn the last merged tree \`${last.tree.slice(0, 10)}\`:\n\n${[...checks, ...notes].join('\n')}`
}

function testsOf({ tests, durationMs }: CheckRun): string {
  const ran = tests === null ? '' : `, ${count(tests.run, 'test')}, ${tests.skipped} skipped`
  return `${ran}, ${clock(durationMs)}`
}

function leftSection({ tasks }: BuildReport): string {
  const left = tasks.filter(({ status }) => status === 'open' || status === 'active' || status === 'skipped')
  if (left.length === 0) return ''
  const lines = left.map(({ id, title, status }) => `- ${inline(id)} (${status}): ${inline(title)}`)
  return `## Not done\n\n${lines.join('\n')}`
}

/** What took more than one try. */
function troubleSection({ tasks, attempts }: BuildReport): string {
  const lines = tasks.flatMap(({ id }) => {
    const attempt = attempts.get(id)
    if (attempt === undefined || (attempt.number === 1 && attempt.interventions === 0)) return []
    const sia = attempt.interventions === 0 ? '' : `, SIA: ${attempt.techniques.join(', ') || 'no way found'}`
    const last = attempt.lastError === null ? '' : `; last: ${inline(attempt.lastError)}`
    return [`- ${inline(id)}: ${count(attempt.number, 'attempt')}${sia}${last}`]
  })
  return lines.length === 0 ? '' : `## Took more than one try\n\n${lines.join('\n')}`
}

/** Law 7: a warning, since a person may well work there. */
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
  return firstLine(text).replaceAll(/[<>]/g, (mark) => (mark === '<' ? '&lt;' : '&gt;'))
}

function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|')
}

/** With a fence that is longer than any in the text. */
function fenced(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${lines.join('\n')}\n${fence}`
}
