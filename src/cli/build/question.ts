// What waits for a human, and exactly how to go on.
import { shellWord as word } from '../../core/shell-word.ts'
import { waysOut } from '../../core/ways-out.ts'
import { shownLines, shownText } from './plain.ts'

export interface Question {
  readonly task: string
  readonly title: string
  readonly reason: string
  readonly lastError: string | null
}

/** What was asked stands first, and what went wrong in the end stands last. */
const LINES_SHOWN = { first: 6, last: 20 } as const

export function questionText({ task, title, reason, lastError }: Question): string {
  const lines = [
    ...shownLines(reason),
    ...(lastError === null ? [] : ['', 'What went wrong last:', ...shownLines(lastError)]),
  ]
  return [
    `Task ${shownText(task)} waits for you: ${shownText(title)}`,
    ...bounded(lines, word(task)).map((line) => `  ${line}`.trimEnd()),
    '',
    ...waysOutLines(task, '').map((line) => `  ${line}`),
    '',
  ].join('\n')
}

function bounded(lines: readonly string[], task: string): readonly string[] {
  const left = lines.length - LINES_SHOWN.first - LINES_SHOWN.last
  if (left <= 1) return lines
  const note = `… ${left} lines; 'ralph log --task ${task} --full' has them`
  return [...lines.slice(0, LINES_SHOWN.first), note, ...lines.slice(-LINES_SHOWN.last)]
}

/** What to type, each with what it does behind `mark`. */
export function waysOutLines(task: string, mark: string): string[] {
  const ways = waysOut(task)
  const width = Math.max(...ways.map(({ command }) => command.length))
  return ways.map(({ command, about }) => `${command.padEnd(width)}   ${mark}${about}`)
}
