// A task that waits for a human, with the commands to go on.
import { shellWord as word } from '../../core/values/shell-word.ts'
import { waysOut } from '../../core/builds/ways-out.ts'
import { shownLines, shownText } from './sanitize.ts'

export interface Question {
  readonly task: string
  readonly title: string
  readonly reason: string
  readonly lastError: string | null
}

/** The question comes first, and the last error comes last. */
const LINES_SHOWN = { first: 6, last: 20 } as const
/** The same number of lines where the end is only a summary, as with TAP: around the first failure, and fewer of the end. */
const AROUND_FAILURE = { before: 1, after: 12, last: 7 } as const
/** How runners and compilers begin the line of a failure. */
const FAILURE =
  /^\s*(?:not ok\b|[✖✗×✕]|FAIL(?:ED)?\b|--- FAIL|\w*Error\b|error(?:\b|\[)|E {2,}\S|thread '.*' panicked)|: error\b/

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
  const { first, last } = LINES_SHOWN
  if (lines.length - first - last <= 1) return lines
  const failed = lines.findIndex((line, at) => at >= first && FAILURE.test(line))
  const isAtEnd = failed === -1 || lines.slice(-last).some((line) => FAILURE.test(line))
  const from = isAtEnd ? lines.length - last : Math.max(first, failed - AROUND_FAILURE.before)
  const until = isAtEnd ? lines.length : Math.min(lines.length - AROUND_FAILURE.last, failed + AROUND_FAILURE.after)
  return [
    ...lines.slice(0, first),
    ...(from === first ? [] : [`… ${from - first} lines; 'ralph log --task ${task} --full' has them`]),
    ...lines.slice(from, until),
    ...(isAtEnd ? [] : [`… ${lines.length - AROUND_FAILURE.last - until} lines`, ...lines.slice(-AROUND_FAILURE.last)]),
  ]
}

/** Commands, each with its effect behind `mark`. */
export function waysOutLines(task: string, mark: string): string[] {
  const ways = waysOut(task)
  const width = Math.max(...ways.map(({ command }) => command.length))
  return ways.map(({ command, about }) => `${command.padEnd(width)}   ${mark}${about}`)
}
