// Green without findings is approved by rule. The config says when to ask the reviewer, who never decides alone.
import type { Agent } from '../../agents/agent.ts'
import type { Effect } from '../../core/attempt/attempt.ts'
import { refuse } from '../../core/error/error.ts'
import type { Decision } from '../../core/fact/fact.ts'
import type { Evidence } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import { type Finding, findingText } from '../../core/fact/finding.ts'
import type { ReviewRecord, SealedRecord } from '../../core/builds/attachment.ts'
import {
  asksReviewer,
  needsSecondLook,
  type ReviewReport,
  readReview,
  reviewByRule,
} from '../../core/attempt/review.ts'
import { triedText, withoutValues } from '../../core/sealed/for-reviewer.ts'
import { needsLook } from '../../core/sealed/judge-examples.ts'
import { secondLookLines } from '../../core/probes/report/probe-text.ts'
import { askRole } from '../session/ask-role.ts'
import { taskText } from '../session/brief.ts'
import { failurePolicy } from '../session/failure-policy.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

const DIFF_SHOWN_MAX = 60_000

const NOBODY_ASKED =
  'no reviewer is set: if it is in order, resolve it as it is and say why; if not, answer what to change'

type Review = Extract<Effect, { do: 'review' }>

export async function review(effect: Review, taskRun: TaskRun): Promise<EffectOutcome> {
  const { engine } = taskRun
  const { workspaces, config } = engine
  const evidence = await evidenceOf(taskRun, effect)
  const { findings: found } = evidence
  const byRule = reviewByRule({ is: 'green' })
  if (!asksReviewer(config.review.when, evidence)) {
    if (!needsSecondLook(evidence)) return reviewOutcome(taskRun, byRule, 'rule', { is: 'approve' })
    const reason = unaskedReason(evidence)
    return reviewOutcome(taskRun, byRule, 'rule', { is: 'needs_human', reason })
  }
  const base = await workspaces.baseOf(taskRun.build, taskRun.task.id, effect.tree)
  const patch = await workspaces.diff(await workspaces.treeOf(base), effect.tree)
  const sealed = await sealedOf(taskRun, evidence)
  const prompt = await engine.prompts.fill('review', {
    task: taskText(taskRun.task),
    diff: bounded(patch.diff),
    findings: numbered(found) || 'None.',
    second_opinion: opinionText(evidence),
    strength: [strengthText(evidence), ...sealedLines(sealed)].join('\n'),
    checks: config.checks.map(({ name, command }) => `${name}: ${command}: green`).join('\n'),
  })
  const answer = await askRole(taskRun, {
    role: 'reviewer',
    prompt,
    tree: effect.tree,
    read: (message) => readReview(message, needsSecondLook(evidence) ? 'must say why' : 'may be brief'),
  })
  if (answer.is === 'failed')
    return (
      failurePolicy(answer.failure, taskRun, answer.agent) ?? unusable(taskRun, answer.agent, answer.failure.sentence)
    )
  if (answer.is === 'none') return unusable(taskRun, answer.agent, answer.problem)
  const report = unsealed(answer.value, sealed)
  const { decision, requiredFixes } = report
  return reviewOutcome(
    taskRun,
    report,
    answer.agent,
    decision === 'approve' ? { is: decision } : { is: decision, requiredFixes },
  )
}

function unusable(taskRun: TaskRun, agent: Agent, problem: string): EffectOutcome {
  const reason = `the reviewer gave no usable answer: ${problem}`
  const report: ReviewReport = { decision: 'request_changes', reasons: [reason], requiredFixes: [reason] }
  return reviewOutcome(taskRun, report, agent, { is: 'request_changes', requiredFixes: report.requiredFixes })
}

function reviewOutcome(
  { task, attempt }: TaskRun,
  report: ReviewReport,
  by: 'rule' | Agent,
  decision: Decision,
): EffectOutcome {
  const who = by === 'rule' ? ({ by } as const) : ({ by: 'agent', agent: by.name } as const)
  const record: ReviewRecord = { kind: 'review', task: task.id, attempt: attempt.number, ...who, ...report }
  return {
    fact: { type: 'reviewed', taskId: task.id, attempt: attempt.number, decision, reasons: report.reasons },
    attachments: [record],
  }
}

async function evidenceOf({ engine, build, task }: TaskRun, { evidence }: Review): Promise<Evidence> {
  const kept = await engine.store.builds.attachments(build, 'evidence', task.id)
  const found = kept.find(({ id }) => id === evidence)
  if (found === undefined) throw refuse('INTERNAL', { reason: `evidence ${evidence} is not in the store` })
  return found.evidence
}

/** What the base's own tests and settings say about the new code. */
function opinionText({ secondOpinion }: Evidence): string {
  if (secondOpinion === null) return 'Not needed: the patch does not touch what judges it.'
  const runs = secondOpinion.checks.map((run) =>
    isGreen(run) ? `${run.name}: green` : `${run.name}: RED\n${run.outputTail}`,
  )
  return [
    `The checks were run again on the new code with these files as they were before: ${secondOpinion.restored.join(', ')}.`,
    ...runs,
  ].join('\n')
}

/** What the probes saw, for the reviewer. */
function strengthText({ probes }: Evidence): string {
  if (probes === undefined) return 'Not examined.'
  const survived = probes.breaks.filter(({ result }) => result === 'survived').map(({ what }) => `- ${what}`)
  return [
    probes.sentence,
    `New tests: ${probes.newTests}. Tests that fail without this change: ${probes.witnesses.count}.`,
    ...(survived.length === 0 ? [] : ['No test noticed when:', ...survived]),
    ...probes.skipped.map(({ probe, why }) => `${probe} was not examined: ${why}`),
    ...probes.notes,
  ].join('\n')
}

/** The first line says it all: it stands alone in tables and notices. */
function unaskedReason(evidence: Evidence): string {
  const { probes } = evidence
  const isFirst = probes !== undefined && (probes.strength === 'thin' || needsLook(probes.sealed))
  const lines = secondLookLines(evidence).slice(isFirst ? 1 : 0)
  const first = isFirst
    ? `${probes.sentence}; the checks are green, but ${NOBODY_ASKED}`
    : `the checks are green, but the patch needs a second look and ${NOBODY_ASKED}`
  return [first, ...lines].join('\n')
}

/** The examples with their values, where one fails: only a reviewer and people see them. */
async function sealedOf({ engine, build, task }: TaskRun, { probes, tree }: Evidence): Promise<SealedRecord | null> {
  if ((probes?.sealed?.failed.length ?? 0) === 0) return null
  const kept = await engine.store.builds.attachments(build, 'sealed', task.id)
  return kept.findLast((record) => record.tree === tree) ?? null
}

const SEALED_RULES =
  'Sealed examples, written before the work by somebody who did not see it; the implementer never sees their values. An example can ' +
  'be wrong: work out from the task which of the two is right. Never repeat a value of an example in your answer: what you say ' +
  'reaches the implementer, so say in words which rule of the acceptance is not met.'

function sealedLines(sealed: SealedRecord | null): string[] {
  return sealed === null ? [] : ['', SEALED_RULES, triedText(sealed)]
}

/** What the reviewer says reaches the agent, so no value may stand in it, whatever the reviewer was told. */
function unsealed(report: ReviewReport, sealed: SealedRecord | null): ReviewReport {
  if (sealed === null) return report
  const clean = (lines: readonly string[]): string[] => lines.map((line) => withoutValues(line, sealed.examples))
  return { ...report, reasons: clean(report.reasons), requiredFixes: clean(report.requiredFixes) }
}

/** Numbered, so that a reviewer can answer each finding. */
function numbered(found: readonly Finding[]): string {
  return found.map((finding, at) => `${at + 1}. ${findingText(finding)}`).join('\n')
}

function bounded(diff: string): string {
  if (diff.length <= DIFF_SHOWN_MAX) return diff
  return `${diff.slice(0, DIFF_SHOWN_MAX)}\n… ${diff.length - DIFF_SHOWN_MAX} more characters; read the files in this folder.`
}
