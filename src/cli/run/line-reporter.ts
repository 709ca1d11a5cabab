// Reports a build in lines, for a terminal, a log file or a pipe.
import { styleText } from 'node:util'
import type { Fact, RecordedFact } from '../../core/fact/fact.ts'
import { columns } from '../table.ts'
import { firstLine, shownText, timeOfDay } from '../text/sanitize.ts'
import { type Line, describeFact, describeFactBelow, type Tone } from '../text/describe-fact.ts'

const colours = {
  quiet: 'dim',
  good: 'green',
  bad: 'yellow',
  ask: 'bold',
} as const satisfies Record<Exclude<Tone, 'plain'>, string>

/** As wide as the time before each line. */
const MARGIN = ' '.repeat(10)

/** With the local time; colour only on a terminal. */
export function rendered({ task, text, tone }: Line, at: number): string {
  const styled = tone === 'plain' ? text : styleText(colours[tone], text)
  return `${styleText('dim', timeOfDay(at))}  ${task === null ? '' : `${styleText('bold', shownText(task))}: `}${styled}`
}

/** Whole lines. */
export function linesOf(facts: readonly RecordedFact[]): string {
  return lineReporter()(facts)
}

/** The same for consecutive facts: a detail of the last line is not repeated. */
export function lineReporter(): typeof linesOf {
  let before = ''
  return (facts) => {
    const lines = facts.flatMap(({ fact, at }) => {
      const line = describeFact(fact, at)
      if (line === null) return []
      const text = withoutTwice(fact, before) ?? line.text
      before = line.text
      return [`${rendered({ ...line, text }, at)}\n`, ...linesBelow(fact)]
    })
    return lines.join('')
  }
}

/** The line above mostly has the reason of a failure. */
function withoutTwice(fact: Fact, before: string): string | null {
  if ((fact.type !== 'taskFailed' && fact.type !== 'buildFailed') || !before.includes(firstLine(fact.error)))
    return null
  return fact.type === 'taskFailed' ? `attempt ${fact.attempt} failed` : 'build failed'
}

function linesBelow(fact: Fact): string[] {
  if (fact.type === 'planned') return planLines(fact)
  return describeFactBelow(fact).map((text) => `${MARGIN}  ${styleText('yellow', text)}\n`)
}

/** The plan, task by task, below the line that says there is one. */
function planLines({ tasks, notes }: Extract<Fact, { type: 'planned' }>): string[] {
  const rows = tasks.map(({ id, title, type, dependsOn }) => {
    const after = dependsOn.length === 0 ? '' : `  (after ${dependsOn.map(shownText).join(', ')})`
    return [shownText(id), type ?? '', `${firstLine(title)}${after}`]
  })
  const text = `${columns(rows)}${notes.trim() === '' ? '' : `${firstLine(notes)}\n`}`
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${MARGIN}${line}\n`)
}
