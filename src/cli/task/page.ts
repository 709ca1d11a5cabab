// One task, as `show` prints it.
import { formatInstant } from '../../core/values/instant.ts'
import { claimOf, claimText } from '../../core/task/claim.ts'
import { shortSentence } from '../../core/probes/report/probe-text.ts'
import type { Task } from '../../core/task/task.ts'

const LABEL_WIDTH = 13

export interface ShownEvidence {
  readonly sentence: string | null
  /** What lies behind the sentence. */
  readonly lines: readonly string[]
}

export function taskPage(task: Task, blockers: readonly Task[], evidence?: ShownEvidence): string {
  const lines = [
    field('ID', task.id),
    field('Title', task.title),
    field('Status', task.status),
    field('Priority', String(task.priority)),
    field('Category', task.category),
    field('Description', task.description),
    field('Spec', task.spec),
    field('Ref', task.ref),
    field('Assignee', task.assignee),
    field('Created', formatInstant(task.createdAt)),
    field('Updated', formatInstant(task.updatedAt)),
    field('Lease', task.leaseExpiresAt === null ? null : `until ${formatInstant(task.leaseExpiresAt)}`),
    field('Retries', task.retryCount === 0 ? null : String(task.retryCount)),
    field('Fail reason', task.failReason),
    field('Said done', reportText(task)),
    field('Evidence', evidence?.sentence == null ? null : shortSentence(evidence.sentence)),
    ...(evidence?.lines ?? []).map((line) => field('', `- ${line}`)),
    field('Result', task.result === null ? null : JSON.stringify(task.result)),
    field('Claims', claimText(claimOf(task))),
    ...section(
      'Steps',
      task.steps.map((step, index) => `${index + 1}. ${indentLines(step, 5)}`),
    ),
    ...section(
      'Acceptance',
      task.acceptance.map((line) => `- ${indentLines(line, 4)}`),
    ),
    ...section(
      'Dependencies',
      blockers.map((blocker) => `${blocker.id} (${blocker.status})`),
    ),
    ...section(
      'Blocker Results',
      blockers.flatMap((blocker) =>
        blocker.result === null ? [] : [`${blocker.id}: ${JSON.stringify(blocker.result)}`],
      ),
    ),
  ]
  return visible(`${lines.filter((line) => line !== null).join('\n')}\n`)
}

function reportText({ reportedDone, status }: Task): string | null {
  if (reportedDone === null) return null
  const { verified } = reportedDone
  if (verified !== undefined) return `verified on ${verified.commit.slice(0, 10)}: ${verified.checks}`
  return status === 'done' ? `not verified yet: the next build does it, or 'ralph verify --task'` : 'not verified yet'
}

/** Agents write these texts, and a terminal obeys control characters: they are shown as what they are, `\\u001b`. */
function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function field(label: string, value: string | null): string | null {
  return value === null || value === ''
    ? null
    : `${(label === '' ? '' : `${label}:`).padEnd(LABEL_WIDTH)}${indentLines(value, LABEL_WIDTH)}`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}

function indentLines(text: string, width: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`)
}
