// The few lines of a failed command's output that name the cause. Installers print it first, and then pages of usage
// and advice; compilers and runners print it in the middle.
import { cutToLength } from './text-bounds.ts'

const LINES_MAX = 8
const LINE_LENGTH_MAX = 300

const saysWhy =
  /\berr(?:or)?\b|\bERR[_!]|\w(?:Error|Exception)\b|\bfatal\b|\bfail(?:ed|ure|s)?\b|not found|no such|cannot|can't|could not|couldn't|unable to|missing|denied|refused|unsupported|no space/i
/** Lines around every failure, whatever its cause. */
const noise = /^npm (?:error|ERR!)\s*$|^npm (?:notice|warn)\b|complete log of this run|^\s+at \S+ ?\(/i
/** The usage of the command follows, which nobody needs. */
const usage =
  /^(?:npm (?:error|ERR!) )?(?:Clean install a project|Install a project|Usage:?|Options:?|Run "npm help\b.*)$/i

/** At most eight lines in their order: from the first that names a cause; the last ones where none does. */
export function causeLines(output: string): readonly string[] {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !noise.test(line))
  const first = lines.findIndex((line) => saysWhy.test(line))
  if (first === -1) return lines.slice(-LINES_MAX).map(shorten)
  const told = lines.slice(first)
  const end = told.findIndex((line) => usage.test(line))
  return told.slice(0, Math.min(LINES_MAX, end === -1 ? told.length : end)).map(shorten)
}

function shorten(line: string): string {
  const cut = cutToLength(line, LINE_LENGTH_MAX)
  return cut === line ? line : `${cut}…`
}
