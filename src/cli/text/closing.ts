// The end of a run: its sentence, the merged tasks with their evidence, and the tasks that wait for a human.
import { branchOf } from '../../core/builds/build.ts'
import { DONE_REASONS, type DoneReason } from '../../core/builds/done-reason.ts'
import { removedText } from '../../core/builds/removed-tasks.ts'
import { mergedStrength, shortSentence } from '../../core/probes/report/probe-text.ts'
import type { BuildReport, MergedTask } from '../../operations/read/build-report.ts'
import { table } from '../table.ts'
import { findingsJson, findingsText } from './findings.ts'
import { count, firstLine, firstSentence, shownText } from './sanitize.ts'
import { questionText } from './question.ts'
import { budgetText, costText, spentJson } from './spent-text.ts'

export interface RunEnd {
  readonly reason: DoneReason
  readonly detail?: string
  /** Shows the tasks that wait for a human, although they are not the reason. */
  readonly asks?: true
}

/** For these reasons the detail, which says how to go on, replaces the sentence. */
const replaced: readonly DoneReason[] = ['Paused', 'MaxIterationsReached', 'BudgetExhausted', 'NoProgress']

export function closingSentence(ended: RunEnd, removed: BuildReport['removed'] = []): string {
  const sentence = ownSentence(ended)
  if (removed.length === 0) return sentence
  const were = removed.length === 1 ? '1 was' : `${removed.length} were`
  const gone = `${were} removed while it ran: ${shownText(removedText(removed))}`
  const isDone = ended.reason === 'AllTasksComplete' || ended.reason === 'RalphDoneMarker'
  return isDone && sentence.endsWith('.') ? `${sentence.slice(0, -1)}; ${gone}.` : `${sentence} Of its tasks ${gone}.`
}

function ownSentence({ reason, detail }: RunEnd): string {
  const { sentence } = DONE_REASONS[reason]
  if (detail === undefined) return sentence
  if (reason === 'Failed') return `${sentence.slice(0, -1)}: ${firstSentence(detail)}`
  return replaced.includes(reason) ? detail : `${sentence} ${detail}`
}

/** The tasks of one build that are in its branch. */
export function mergedText(build: string, merged: readonly MergedTask[]): string {
  if (merged.length === 0) return 'Nothing was merged.\n'
  const rows = merged.map((one) => [one.commit.slice(0, 10), shownText(one.task), proofText(one), firstLine(one.title)])
  return `Merged into ${branchOf(build)}:\n${table(['COMMIT', 'TASK', 'EVIDENCE', 'TITLE'], rows)}`
}

export function proofText({ proof, evidence, testsRun }: Pick<MergedTask, 'proof' | 'evidence' | 'testsRun'>): string {
  if (proof.by === 'person') return `unverified, accepted by ${firstLine(proof.person)}`
  if (evidence === null) return 'evidence is missing'
  const { probes, findings, cleared, checks } = evidence
  const by = cleared === null ? '' : `, ${clearedText(findings.length, cleared.by)}`
  if (probes !== undefined) return `${firstLine(shortSentence(probes.sentence))}${by}`
  const names = checks.map(({ name }) => name).join(', ')
  return `${evidence.verdict}: ${testsRun === 0 ? 'no tests' : count(testsRun, 'test')} (${names})${by}`
}

/** Thin evidence without a finding was cleared by somebody too. */
function clearedText(findings: number, by: string): string {
  return findings === 0 ? `cleared by ${firstLine(by)}` : `${count(findings, 'finding')} cleared`
}

export function closingText(ended: RunEnd, report: BuildReport): string {
  const { build, merged, waiting, frozen, isShipped } = report
  const findings = findingsText(report)
  const questions = ended.reason === 'HumanNeeded' || ended.asks ? waiting.map((one) => `\n${questionText(one)}`) : []
  const parts = [
    `\n${mergedText(build.id, merged)}`,
    findings === '' ? '' : `\n${findings}`,
    ...questions,
    spentLine(report),
    `\n${closingSentence(ended, report.removed)}\n`,
    ...(ended.reason === 'HumanNeeded' ? ["Then 'ralph build' goes on.\n"] : []),
    ...(build.state === 'complete' && merged.length > 0 && !isShipped ? [nextSteps(build.id, frozen.where)] : []),
    ...(isShipped ? ['It is shipped.\n'] : []),
  ]
  return parts.join('')
}

/** Only where agents report their usage. */
function spentLine(report: BuildReport): string {
  const { spent } = report
  const money = budgetText(report)
  if (money !== null) return `\n${money}.\n`
  return spent.costUsd === null ? '' : `\nThe agents of this build cost ${costText(spent)}.\n`
}

function nextSteps(build: string, where: BuildReport['frozen']['where']): string {
  const branch = branchOf(build)
  if (where === 'in-place')
    return `Your checkout is on ${branch}; 'git switch -' goes back to your branch. Take the work over with 'ralph ship'.\n`
  return `Your own branch is as it was: look with 'git log -p ${branch}', take it over with 'ralph ship'.\n`
}

/** The last of the JSON lines. */
export function closingJson(ended: RunEnd, report: BuildReport): Record<string, unknown> {
  const { build, merged, waiting, findings, spent, budget } = report
  return {
    type: 'done',
    reason: ended.reason,
    exit: DONE_REASONS[ended.reason].exit,
    sentence: closingSentence(ended, report.removed),
    removed: report.removed,
    sessionId: build.id,
    state: build.state,
    branch: branchOf(build.id),
    commits: merged.map(mergedJson),
    waiting,
    findings: findings.map(findingsJson),
    spent: spentJson(spent),
    budget,
  }
}

export function mergedJson({ task, title, commit, proof, evidence, testsRun }: MergedTask): Record<string, unknown> {
  const verdict = evidence?.verdict ?? 'unverified'
  const { strength, sentence } = mergedStrength(proof, evidence)
  const tree = evidence?.tree ?? null
  return { task, title, commit, verdict, strength, sentence, testsRun, proof, tree }
}
