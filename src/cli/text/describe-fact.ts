// Facts in one line each.
import { baseTestsText } from '../../core/evidence/base-judged-run.ts'
import { type Fact, type PlanFact, taskOf } from '../../core/fact/fact.ts'
import type { Instant, TaskId } from '../../core/values/id.ts'
import { verifiedText } from '../../core/probes/report/probe-text.ts'
import { isByRule } from '../../core/attempt/review.ts'
import { formatUsed } from '../../core/money/spending.ts'
import { findingLines } from './findings.ts'
import { buildWords, warningWords } from './describe-build-fact.ts'
import { count, firstLine, span, timeAhead } from './sanitize.ts'

export interface Line {
  readonly task: TaskId | null
  readonly text: string
  readonly tone: Tone
}

/** `quiet`: a step on the way. */
export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'ask'

/** Null: not worth a line of its own. `at`: when it was recorded. */
export function describeFact(fact: Fact, at: Instant): Line | null {
  const words = wordsFor(fact, at)
  if (words === null) return null
  const used = usedIn(fact)
  return { task: taskOf(fact), text: `${words[0]}${used === '' ? '' : ` · ${used}`}`, tone: words[1] ?? 'plain' }
}

/** The usage of the agents of this effect. */
export function usedIn(fact: Fact): string {
  return 'spent' in fact && fact.spent !== undefined ? formatUsed(fact.spent) : ''
}

export type Words = readonly [text: string, tone?: Tone] | null

function wordsFor(fact: Fact, at: Instant): Words {
  switch (fact.type) {
    case 'taskStarted':
      return [`attempt ${fact.attempt}: ${firstLine(fact.taskName)}`]
    case 'iterationStarted':
      return [`iteration ${fact.attempt}.${fact.iteration}`, 'quiet']
    case 'iterationDone':
      return fact.error === null ? [claim(fact.signal), 'quiet'] : [`failed: ${firstLine(fact.error)}`, 'bad']
    case 'verifying':
      return ['verifying', 'quiet']
    case 'verified':
      return verified(fact)
    case 'reviewed':
      return reviewed(fact)
    case 'mergeRefused':
      return [`not merged: ${firstLine(fact.error)}`, 'bad']
    case 'taskComplete':
    case 'taskFailed':
      return endWords(fact)
    case 'humanNeeded':
      return [`a human is needed: ${firstLine(fact.reason)}`, 'ask']
    case 'waiting':
    case 'agentLimited':
    case 'agentReplaced':
    case 'agentReturned':
      return agentWords(fact, at)
    case 'interrupted':
      return [`interrupted: ${firstLine(fact.reason)}`, 'bad']
    case 'siaTriggered':
    case 'siaSuccess':
    case 'siaDecomposed':
    case 'intervened':
      return siaWords(fact)
    case 'taskSkipped':
    case 'taskRetried':
    case 'taskAnswered':
    case 'taskResolved':
    case 'taskReverted':
      return operatorWords(fact)
    case 'planning':
    case 'planned':
    case 'planningLimited':
    case 'planningFailed':
    case 'planningInterrupted':
      return planWords(fact, at)
    case 'statusRejected':
    case 'branchRestored':
    case 'checkoutChanged':
    case 'commandRefused':
      return warningWords(fact)
    case 'reviewing':
    case 'merging':
    case 'merged':
    case 'limited':
    case 'waited':
      return null
    default:
      return buildWords(fact)
  }
}

function endWords(fact: FactOf<'taskComplete' | 'taskFailed'>): Words {
  return fact.type === 'taskComplete'
    ? [`done, merged as ${fact.commitHash.slice(0, 10)}`, 'good']
    : [`attempt ${fact.attempt} failed: ${firstLine(fact.error)}`, 'bad']
}

function waitText({ agent, until }: FactOf<'waiting' | 'agentLimited' | 'planningLimited'>, at: Instant): string {
  return `waiting for ${agent} until ${timeAhead(until, at)} (${span(until - at)})`
}

function agentWords(fact: FactOf<'waiting' | 'agentLimited' | 'agentReplaced' | 'agentReturned'>, at: Instant): Words {
  if (fact.type === 'waiting' || fact.type === 'agentLimited')
    return [`${waitText(fact, at)}: ${firstLine(fact.reason)}`, 'bad']
  if (fact.type === 'agentReturned') return [`${fact.agent} works again (${fact.role})`, 'good']
  const { role, agent, by, until, reason } = fact
  const waits = `until ${timeAhead(until, at)} (${span(until - at)})`
  return [`${by} works in place of ${agent} (${role}) ${waits}: ${firstLine(reason)}`, 'bad']
}

function siaWords(fact: FactOf<'siaTriggered' | 'siaSuccess' | 'siaDecomposed' | 'intervened'>): Words {
  switch (fact.type) {
    case 'siaTriggered':
      return [`SIA is asked for help (intervention ${fact.interventionNumber})`]
    case 'siaSuccess':
      return ['SIA rewrote the task', 'good']
    case 'siaDecomposed':
      return [`SIA split it into ${count(fact.newTaskCount, 'task')}`, 'good']
    case 'intervened':
      return chosenWords(fact.intervention)
  }
}

/** The agent that SIA chose; its other interventions have lines of their own. */
function chosenWords(intervention: FactOf<'intervened'>['intervention']): Words {
  const worker = intervention.type === 'fixed' ? intervention.worker : undefined
  if (worker === undefined) return null
  return [`SIA gives it to ${worker.agent}${worker.model === null ? '' : ` with the model ${worker.model}`}`]
}

function verified(fact: FactOf<'verified'>): Words {
  const { verdict, findings, strength } = fact
  if (verdict.is !== 'green') return [`${unproved(verdict)}${firstLine(verdict.error)}`, 'bad']
  const text = `${firstLine(verifiedText(fact))}${second(findings?.length ?? 0, strength === 'thin' ? 'and' : 'but')}`
  return [text, strength === 'thin' ? 'ask' : 'good']
}

function second(findings: number, joined: 'and' | 'but'): string {
  return findings === 0 ? '' : `, ${joined} ${findings} finding${findings === 1 ? ' needs' : 's need'} a second look`
}

/** The sentence itself says when the operator has to act. */
function unproved({ is, error }: Exclude<FactOf<'verified'>['verdict'], { is: 'green' }>): string {
  return error.startsWith('nothing was verified') ? '' : `${is}: `
}

/** The lines below the line of a fact. */
export function describeFactBelow(fact: Fact): readonly string[] {
  if (fact.type !== 'verified') return []
  const red = baseTestsText(fact.baseTests ?? [])
  return [...findingLines(fact.findings ?? []), ...(red === null ? [] : [firstLine(red)])]
}

type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>

function reviewed({ decision, reasons, of }: FactOf<'reviewed'>): Words {
  if (of === 'objection') {
    const isRight = decision.is !== 'request_changes'
    const describeFact = isRight ? reasons : [...reasons, ...decision.requiredFixes]
    return [`review: the check ${isRight ? 'may be wrong' : 'is right'}: ${firstLine(describeFact.join('; '))}`, 'bad']
  }
  switch (decision.is) {
    case 'approve':
      return isByRule(reasons)
        ? ['review: approved', 'quiet']
        : [`review: approved: ${reasons.map(firstLine).join('; ')}`, 'quiet']
    case 'request_changes':
      return [`review: changes requested: ${firstLine([...decision.requiredFixes, ...reasons].join('; '))}`, 'bad']
    case 'needs_human':
      return [`review: a human has to look: ${firstLine(decision.reason)}`, 'bad']
  }
}

type OperatorWord = FactOf<'taskSkipped' | 'taskRetried' | 'taskAnswered' | 'taskResolved' | 'taskReverted'>

function operatorWords(fact: OperatorWord): Words {
  const by = firstLine(fact.by)
  switch (fact.type) {
    case 'taskSkipped':
      return [`skipped by ${by}`]
    case 'taskRetried':
      return [`to be tried again, says ${by}`]
    case 'taskAnswered':
      return [`answered by ${by}: ${firstLine(fact.text)}`]
    case 'taskResolved':
      return [`resolved by ${by}${fact.accepted === 'unverified' ? ', unverified' : ''}: ${firstLine(fact.text)}`]
    case 'taskReverted':
      return [`reverted by ${by}`]
  }
}

function planWords(fact: PlanFact, at: Instant): Words {
  switch (fact.type) {
    case 'planning':
      return [fact.attempt === 1 ? 'planning' : `planning, attempt ${fact.attempt}`]
    case 'planned':
      return [`planned: ${count(fact.taskCount, 'task')}`, 'good']
    case 'planningLimited':
      return [`${waitText(fact, at)}: ${firstLine(fact.reason)}`, 'bad']
    case 'planningFailed':
      return [`planning failed: ${firstLine(fact.error)}`, 'bad']
    case 'planningInterrupted':
      return [`planning interrupted: ${firstLine(fact.reason)}`, 'bad']
  }
}

function claim(signal: FactOf<'iterationDone'>['signal']): string {
  if (signal === null) return 'said nothing about where it stands'
  return 'reason' in signal ? `says ${signal.kind}: ${firstLine(signal.reason)}` : `says ${signal.kind}`
}
