// Facts about a build as a whole, in one line each.
import type { BaselineFact } from '../../core/fact/baseline-fact.ts'
import type { Fact } from '../../core/fact/fact.ts'
import { warningText } from '../../core/attempt/landing.ts'
import { count, firstLine, shownText } from './sanitize.ts'
import type { Words } from './describe-fact.ts'

type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>

function baselineWords(fact: BaselineFact): Words {
  switch (fact.type) {
    case 'baselineStarted':
      return [`running setup and checks on ${fact.on} first …`, 'quiet']
    case 'baselineDone':
      return [firstLine(fact.summary), fact.red.length === 0 ? 'quiet' : 'bad']
    case 'baselineFailed':
      return [`no agent is started: ${firstLine(fact.error).replace(/:$/, '')}`, 'ask']
  }
}

type BuildWord =
  | BaselineFact
  | FactOf<
      | 'buildStarted'
      | 'buildPaused'
      | 'buildResumed'
      | 'buildAborted'
      | 'buildComplete'
      | 'buildFailed'
      | 'budgetExhausted'
      | 'messageLeft'
      | 'shipped'
      | 'deploying'
      | 'deployed'
      | 'reportVerified'
      | 'reportRefused'
    >

export function buildWords(fact: BuildWord): Words {
  switch (fact.type) {
    case 'baselineStarted':
    case 'baselineDone':
    case 'baselineFailed':
      return baselineWords(fact)
    case 'buildStarted':
      return [`build started: ${count(fact.taskCount, 'task')}`]
    case 'buildPaused':
      return [`build paused by ${firstLine(fact.by)}`]
    case 'buildResumed':
      return [`build resumed by ${firstLine(fact.by)}`]
    case 'buildAborted':
      return [`build aborted by ${firstLine(fact.by)}`, 'bad']
    case 'buildComplete':
      return ['build complete', 'good']
    case 'buildFailed':
      return [`build failed: ${firstLine(fact.error)}`, 'bad']
    case 'budgetExhausted':
      return ['the budget is spent', 'bad']
    case 'messageLeft':
      return [`${firstLine(fact.by)} says: ${firstLine(fact.text)}`]
    case 'reportVerified':
      return [`was reported done; verified on ${fact.commit.slice(0, 10)}: ${firstLine(fact.checks)}`, 'good']
    case 'reportRefused':
      return [`open again: ${firstLine(fact.reason)}`, 'bad']
    case 'shipped':
    case 'deploying':
    case 'deployed':
      return shipWords(fact)
  }
}

function shipWords(fact: FactOf<'shipped' | 'deploying' | 'deployed'>): Words {
  switch (fact.type) {
    case 'shipped':
      return fact.how === 'base'
        ? [`shipped to ${fact.base} by ${firstLine(fact.by)} as ${fact.commit.slice(0, 10)}${although(fact)}`, 'good']
        : [`offered to ${fact.base} as a pull request by ${firstLine(fact.by)}${although(fact)}`, 'good']
    case 'deploying':
      return [`deploying: ${firstLine(fact.command)}`]
    case 'deployed':
      return fact.exit === 0 ? ['deployed', 'good'] : [`the deploy failed (exit ${fact.exit ?? 'unknown'})`, 'bad']
  }
}

function although({ red = [] }: FactOf<'shipped'>): string {
  return red.length === 0 ? '' : `, although ${red.map(firstLine).join(', ')} ${red.length === 1 ? 'was' : 'were'} red`
}

const WHO_KNOWS = 'by you, or by an agent outside its folder: without a sandbox nobody can tell'

export function warningWords(
  fact: FactOf<'statusRejected' | 'branchRestored' | 'checkoutChanged' | 'commandRefused'>,
): Words {
  if (fact.type === 'checkoutChanged') return [`${changedText(fact)} (${WHO_KNOWS})`, 'bad']
  if (fact.type !== 'commandRefused') return [shownText(warningText(fact)), 'bad']
  return [`the agent tried '${firstLine(fact.command)}', which only you may do; it was refused`, 'bad']
}

function changedText({ refs, paths, more }: FactOf<'checkoutChanged'>): string {
  const names = [...refs.map((ref) => ref.replace(/^refs\/(heads|tags)\//, '')), ...paths].map(firstLine)
  return `your checkout changed meanwhile: ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
