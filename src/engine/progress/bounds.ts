// Bounds texts of agents and programs for a file that people read, and removes their control characters.
import { cutToLength } from '../../core/values/text-bounds.ts'

/** In UTF-16 units, like all lengths here. */
const LINE_LENGTH_MAX = 200
const ATTEMPT_LENGTH_MAX = 2_000
const PROSE_LENGTH_MAX = 20_000

/** For a table cell or a heading. */
export function boundedLine(text: string): string {
  return bounded(text.replace(/\s+/g, ' ').trim(), LINE_LENGTH_MAX)
}

/** The first line is a heading; a long rest is cut. */
export function boundedAttempt(text: string): string {
  const [first = '', ...rest] = cutToLength(text.trim(), PROSE_LENGTH_MAX).split(/\r?\n/)
  const below = bounded(rest.join('\n'), ATTEMPT_LENGTH_MAX)
  return below.trim() === '' ? boundedLine(first) : `${boundedLine(first)}\n${below}`
}

export function boundedProse(text: string): string {
  return bounded(text, PROSE_LENGTH_MAX)
}

function bounded(text: string, length: number): string {
  const plain = cutToLength(text, length * 2)
    // Colour escapes of terminals are noise on a page.
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001B\[[\d;]*[A-Za-z]/g, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
  return plain.length <= length && text.length <= length * 2 ? plain : `${cutToLength(plain, length - 1)}…`
}
