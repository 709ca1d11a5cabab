// Reports the demo: the lines of `ralph build`, with a heading for each task and a note on why a step matters.
import { styleText } from 'node:util'
import type { Fact, RecordedFact } from '../../core/fact/fact.ts'
import { shownText } from '../text/sanitize.ts'
import { rendered } from '../run/line-reporter.ts'
import { note, type Reporter } from '../run/reporter.ts'
import { type Line, describeFact } from '../text/describe-fact.ts'
import { print } from '../output.ts'
import { demoLineOf } from './demo-script.ts'
import { plan } from './plan.ts'

/** As wide as the time before each line. */
const INDENT = ' '.repeat(10)

export function demoReporter(): Reporter {
  const nothing = (): void => {}
  return {
    past: nothing,
    facts: (facts) => print(facts.map(linesFor).join('')),
    agent: nothing,
    note,
    end: nothing,
  }
}

function linesFor({ fact, at }: RecordedFact): string {
  const beat = demoLineOf(fact)
  const line = lineFor(fact, at)
  const failed = fact.type === 'verified' && fact.verdict.is === 'red' ? failedTests(fact.verdict.error) : []
  return [
    headingFor(fact),
    line === null ? '' : `${rendered(line, at)}\n`,
    ...failed.map((text) => `${INDENT}${styleText('dim', text)}\n`),
    beat === null ? '' : `${INDENT}${styleText('blue', `→ ${beat.note}`)}\n`,
  ].join('')
}

/** Null: the heading or the line before says it already. */
function lineFor(fact: Fact, at: number): Line | null {
  const line = describeFact(fact, at)
  return line === null || headingFor(fact) !== '' || skipped.includes(fact.type) ? null : line
}

const skipped: readonly Fact['type'][] = ['iterationStarted', 'verifying', 'taskFailed', 'buildStarted']

function headingFor(fact: Fact): string {
  if (fact.type !== 'taskStarted' || fact.attempt !== 1) return ''
  const at = plan.findIndex(({ id }) => id === fact.taskId)
  return at === -1 ? '' : `\n${styleText('bold', `${at + 1} of ${plan.length}  ${fact.taskId}`)}: ${fact.taskName}\n`
}

/** The names of failed tests as node:test prints them, and the compared values. */
function failedTests(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => shownText(line).trim())
  const telling = lines.filter((line) => /^✖ .* \([\d.]+ms\)$|^[-\d.]+ !== [-\d.]+$/.test(line))
  return [...new Set(telling.map((line) => line.replace(/ \([\d.]+ms\)$/, '')))]
}
