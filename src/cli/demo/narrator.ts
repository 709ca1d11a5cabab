// Tells the demo: the lines that `ralph build` has as well, a heading for each task of the plan, and why it matters.
import type { Fact, RecordedFact } from '../../core/fact.ts'
import { firstLine, shownText } from '../build/plain.ts'
import { rendered } from '../build/story.ts'
import type { Teller } from '../build/teller.ts'
import { remark } from '../build/teller.ts'
import { told } from '../build/told.ts'
import { print } from '../output.ts'
import { paint } from '../paint.ts'
import { beatOf } from './beats.ts'
import { plan } from './plan.ts'

/** Under the words of a line, beside its time. */
const INDENT = ' '.repeat(10)

export function narrator(): Teller {
  const nothing = (): void => {}
  return {
    past: nothing,
    facts: (facts) => print(facts.map(linesFor).join('')),
    agent: nothing,
    remark,
    end: nothing,
  }
}

function linesFor({ fact, at }: RecordedFact): string {
  const beat = beatOf(fact)
  const line = isSaidOtherwise(fact) ? null : told(fact)
  return [
    headingFor(fact),
    line === null ? '' : `${rendered(line, at)}\n`,
    ...detailsOf(fact).map((text) => `${INDENT}${paint('dim', text)}\n`),
    beat === null ? '' : `${INDENT}${paint('blue', `→ ${beat.remark}`)}\n`,
  ].join('')
}

/** By the heading, or by the line before. */
function isSaidOtherwise(fact: Fact): boolean {
  return ['iterationStarted', 'verifying', 'taskFailed', 'buildStarted'].includes(fact.type) || headingFor(fact) !== ''
}

function headingFor(fact: Fact): string {
  if (fact.type !== 'taskStarted' || fact.attempt !== 1) return ''
  const at = plan.findIndex(({ id }) => id === fact.taskId)
  return at === -1 ? '' : `\n${paint('bold', `${at + 1} of ${plan.length}  ${fact.taskId}`)}: ${fact.taskName}\n`
}

function detailsOf(fact: Fact): readonly string[] {
  if (fact.type === 'verified' && fact.verdict.is === 'red') return failedTests(fact.verdict.error)
  if (fact.type === 'reviewed') return fact.reasons.map((reason) => `reviewer: ${firstLine(reason)}`)
  return []
}

/** The names of failed tests as node:test prints them, and what was compared. */
function failedTests(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => shownText(line).trim())
  return [...new Set(lines.filter((line) => /^✖ .*\(\d|^[-\d.]+ !== [-\d.]+$/.test(line)))]
}
