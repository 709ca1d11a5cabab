// Facts in one line each.
import { baseTestsText } from '../../core/evidence/base-judged-run.ts'
import type { Fact, RedCheck } from '../../core/fact/fact.ts'
import { verifiedText } from '../../core/probes/report/probe-text.ts'
import { rejectedText, restoredText } from '../../core/attempt/landing.ts'
import type { Tone } from '../parts/badge.tsx'
import { capitalised, firstLine } from '../parts/shown-text.ts'
import { timeOfDay } from '../parts/time.ts'

export interface FactWords {
  readonly text: string
  readonly tone: Tone
}

type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>
type Words = { readonly [Type in Fact['type']]: (fact: FactOf<Type>) => readonly [string, Tone?] }

const WORDS: Words = {
  taskStarted: ({ attempt, taskName }) => [`Attempt ${attempt} began: ${firstLine(taskName)}`],
  iterationStarted: ({ attempt, iteration }) => [`Iteration ${attempt}.${iteration}: the agent works`, 'busy'],
  iterationDone: (fact) =>
    fact.error === null ? [`The agent ${claimOf(fact)}`] : [`The session failed: ${firstLine(fact.error)}`, 'bad'],
  verifying: () => ['Checks are run', 'busy'],
  verified: (fact) => verifiedWords(fact),
  reviewing: () => ['The patch is reviewed', 'busy'],
  reviewed: (fact) => reviewWords(fact),
  merging: () => ['The patch is merged', 'busy'],
  merged: ({ commit }) => [`Merged as ${commit.slice(0, 10)}`],
  mergeRefused: ({ error }) => [`Not merged: ${firstLine(error)}`, 'bad'],
  taskComplete: ({ commitHash }) => [`Completed, in the branch as ${commitHash.slice(0, 10)}`, 'good'],
  taskFailed: ({ attempt, error }) => [`Attempt ${attempt} failed: ${firstLine(error)}`, 'bad'],
  siaTriggered: ({ interventionNumber }) => [`SIA is asked for help, intervention ${interventionNumber}`, 'ask'],
  intervened: ({ intervention }) =>
    intervention.type === 'escalate'
      ? [`SIA gives the task to a human: ${firstLine(intervention.reason)}`, 'ask']
      : [`SIA tries ${intervention.technique.replaceAll('_', ' ')}`, 'ask'],
  siaSuccess: () => ['SIA rewrote the task', 'good'],
  siaDecomposed: ({ newTaskCount }) => [`SIA split it into ${newTaskCount} tasks`, 'good'],
  humanNeeded: ({ reason }) => [`A human is needed: ${firstLine(reason)}`, 'ask'],
  waiting: (fact) => limitWords(fact),
  limited: (fact) => limitWords(fact),
  agentLimited: (fact) => limitWords(fact),
  planningLimited: (fact) => limitWords(fact),
  agentReplaced: ({ role, agent, by, until, reason }) => [
    `${by} works in place of ${agent} (${role}) until ${timeOfDay(until)}: ${firstLine(reason)}`,
    'calm',
  ],
  agentReturned: ({ role, agent }) => [`${agent} works again (${role})`, 'good'],
  waited: () => ['The wait is over'],
  interrupted: ({ reason }) => [`Interrupted: ${firstLine(reason)}`, 'bad'],
  taskSkipped: ({ by }) => [`Skipped by ${firstLine(by)}`, 'bad'],
  taskRetried: ({ by }) => [`To be tried again, says ${firstLine(by)}`],
  taskAnswered: ({ by, text }) => [`${firstLine(by)} answered: ${firstLine(text)}`],
  taskResolved: ({ by, text }) => [`Fixed by ${firstLine(by)}: ${firstLine(text)}`],
  taskReverted: ({ by }) => [`Reverted by ${firstLine(by)}`, 'bad'],
  statusRejected: (fact) => [firstLine(rejectedText(fact)), 'bad'],
  planning: ({ attempt }) => [attempt === 1 ? 'The plan is made' : `The plan is made, attempt ${attempt}`, 'busy'],
  planned: ({ taskCount }) => [`Planned: ${taskCount} tasks`, 'good'],
  planningFailed: ({ error }) => [`Planning failed: ${firstLine(error)}`, 'bad'],
  planningInterrupted: ({ reason }) => [`Planning was interrupted: ${firstLine(reason)}`, 'bad'],
  baselineStarted: ({ on }) => [`Setup and checks are run on ${on} first`, 'busy'],
  baselineDone: ({ summary, red }) => [firstLine(summary), red.length === 0 ? 'quiet' : 'bad'],
  baselineFailed: ({ error }) => [`No agent is started: ${firstLine(error).replace(/:$/, '')}`, 'ask'],
  buildStarted: ({ taskCount }) => [`Build started: ${taskCount} tasks`],
  buildPaused: ({ by }) => [`Build paused by ${firstLine(by)}`, 'calm'],
  buildResumed: ({ by }) => [`Build resumed by ${firstLine(by)}`],
  buildAborted: ({ by }) => [`Build aborted by ${firstLine(by)}`, 'bad'],
  messageLeft: ({ by, text }) => [`${firstLine(by)} says: ${firstLine(text)}`],
  buildComplete: () => ['Build complete', 'good'],
  buildFailed: ({ error }) => [`Build failed: ${firstLine(error)}`, 'bad'],
  budgetExhausted: ({ sentence }) => [firstLine(sentence), 'bad'],
  shipped: ({ base, by, commit }) => [`Shipped to ${base} by ${firstLine(by)} as ${commit.slice(0, 10)}`, 'good'],
  deploying: ({ command }) => [`Deploying: ${firstLine(command)}`, 'busy'],
  deployed: ({ exit }) =>
    exit === 0 ? ['Deployed', 'good'] : [`The deploy failed (exit ${exit ?? 'unknown'})`, 'bad'],
  checkoutChanged: ({ refs, paths, more }) => [
    `Your checkout changed meanwhile: ${[...refs, ...paths].map((name) => firstLine(name)).join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    'ask',
  ],
  commandRefused: ({ command }) => [
    `The agent tried '${firstLine(command)}', which only you may do; it was refused`,
    'ask',
  ],
  reportVerified: ({ commit, checks }) => [
    `Was reported done; verified on ${commit.slice(0, 10)}: ${firstLine(checks)}`,
    'good',
  ],
  reportRefused: ({ reason }) => [`Open again: ${firstLine(reason)}`, 'bad'],
  branchRestored: (fact) => [firstLine(restoredText(fact)), 'bad'],
}

/** A newer server may send facts that this page does not know. */
export function factWords(fact: Fact): FactWords {
  const words = (WORDS as Partial<Record<string, (fact: Fact) => readonly [string, Tone?]>>)[fact.type]
  const [text, tone = 'quiet'] = words === undefined ? [fact.type] : words(fact)
  return { text, tone }
}

function claimOf({ signal }: FactOf<'iterationDone'>): string {
  if (signal === null) return 'did not say where it stands'
  return 'reason' in signal ? `says ${signal.kind}: ${firstLine(signal.reason)}` : `says ${signal.kind}`
}

function verifiedWords(fact: FactOf<'verified'>): readonly [string, Tone] {
  const { verdict, findings, baseTests, strength } = fact
  if (verdict.is !== 'green') return [`Checks are ${verdict.is}: ${firstLine(verdict.error)}`, 'bad']
  const worth = strength === undefined ? 'Checks are green' : capitalised(firstLine(verifiedText(fact)))
  return [`${worth}${secondLook(findings?.length ?? 0)}${onBase(baseTests)}`, strength === 'thin' ? 'ask' : 'good']
}

function onBase(red: readonly RedCheck[] = []): string {
  const text = baseTestsText(red)
  return text === null ? '' : `; ${firstLine(text)}`
}

function secondLook(findings: number): string {
  return findings === 0 ? '' : `, and ${findings === 1 ? '1 finding needs' : `${findings} findings need`} a second look`
}

function reviewWords({ decision, reasons }: FactOf<'reviewed'>): readonly [string, Tone?] {
  switch (decision.is) {
    case 'approve':
      return ['Review: approved', 'good']
    case 'request_changes':
      return [`Review: changes requested: ${firstLine([...decision.requiredFixes, ...reasons].join('; '))}`, 'bad']
    case 'needs_human':
      return [`Review: a human has to look: ${firstLine(decision.reason)}`, 'ask']
  }
}

function limitWords({
  agent,
  until,
  reason,
}: Pick<FactOf<'waiting'>, 'agent' | 'until' | 'reason'>): readonly [string, Tone?] {
  return [`Waiting for ${agent} until ${timeOfDay(until)}: ${firstLine(reason)}`, 'calm']
}
