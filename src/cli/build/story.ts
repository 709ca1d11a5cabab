// A build told in lines: what a person reads in a terminal, in a log file or over a pipe.
import type { RecordedFact } from '../../core/fact.ts'
import { type Colour, paint } from '../paint.ts'
import { firstLine, shownText, timeOfDay } from './plain.ts'
import { type Line, told, type Tone } from './told.ts'

const colours: Readonly<Record<Exclude<Tone, 'plain'>, Colour>> = {
  quiet: 'dim',
  good: 'green',
  bad: 'yellow',
  ask: 'bold',
}

/** With the time where the reader is; colour only on a terminal. */
export function rendered({ task, text, tone }: Line, at: number): string {
  const said = tone === 'plain' ? text : paint(colours[tone], text)
  return `${paint('dim', timeOfDay(at))}  ${task === null ? '' : `${paint('bold', shownText(task))}: `}${said}`
}

/** Whole lines. */
export function storyOf(facts: readonly RecordedFact[]): string {
  let before = ''
  const lines = facts.flatMap(({ fact, at }) => {
    const line = told(fact, at)
    if (line === null) return []
    // Why an attempt failed mostly stands in the line above it.
    const isTwice = fact.type === 'taskFailed' && before.includes(firstLine(fact.error))
    before = line.text
    return [`${rendered(isTwice ? { ...line, text: `attempt ${fact.attempt} failed` } : line, at)}\n`]
  })
  return lines.join('')
}
