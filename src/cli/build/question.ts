// What waits for a human, and exactly how to go on.
import { shownLines, shownText } from './plain.ts'

export interface Question {
  readonly task: string
  readonly title: string
  readonly reason: string
  readonly lastError: string | null
}

/** Lines of what went wrong; the log has all of it. */
const REASON_LINES_MAX = 20

export function questionText({ task, title, reason, lastError }: Question): string {
  const lines = [
    ...shownLines(reason),
    ...(lastError === null ? [] : ['', 'What went wrong last:', ...shownLines(lastError)]),
  ]
  const shown = lines.slice(0, REASON_LINES_MAX)
  const cut = lines.length - shown.length
  return [
    `Task ${shownText(task)} waits for you: ${shownText(title)}`,
    ...shown.map((line) => `  ${line}`.trimEnd()),
    ...(cut === 0 ? [] : [`  … ${cut} more lines; 'ralph log --task ${word(task)}' has them`]),
    '',
    ...waysOut(word(task)),
    '',
  ].join('\n')
}

function waysOut(task: string): string[] {
  const ways = [
    [`ralph open ${task}`, 'prints its folder: mend it there yourself, then'],
    [`ralph resolve ${task} -m 'what you did'`, 'verifies your fix and merges it'],
    [`ralph answer ${task} -m 'what to know'`, 'lets the agent try again, with your words'],
    [`ralph retry ${task}`, 'lets it try again as it is'],
    [`ralph skip ${task}`, 'leaves it undone'],
  ] as const
  const width = Math.max(...ways.map(([command]) => command.length))
  return ways.map(([command, about]) => `  ${command.padEnd(width)}   ${about}`)
}

/** As a shell takes it. */
function word(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
