// Prepares a program's output for the middle of one of our sentences.
import { stripVTControlCharacters } from 'node:util'
import { cutToLength } from '../core/values/text-bounds.ts'

/** In UTF-16 units. */
const QUOTE_LENGTH_MAX = 300

export function oneLine(words: string): string {
  // Cuts first, with some room, so the rest need not be looked at.
  const beginning = cutToLength(words.trimStart(), QUOTE_LENGTH_MAX * 8)
  return cutToLength(
    stripVTControlCharacters(beginning)
      .replaceAll(/[\s\p{C}]+/gu, ' ')
      .trim(),
    QUOTE_LENGTH_MAX,
  )
}

/** The last line with text. */
export function lastLine(words: string): string {
  return oneLine(words.trimEnd().split('\n').at(-1) ?? '')
}
