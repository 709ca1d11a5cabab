// Text for one line of a terminal or a log: agents and checks write what they like.
import { width } from '../table.ts'

const LINE_LENGTH_MAX = 200
const SENTENCE_LENGTH_MAX = 1_000

const graphemes = new Intl.Segmenter()

// CSI and OSC sequences, then two-character escapes; what is left of control characters falls below.
// eslint-disable-next-line no-control-regex
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g

/** Without control sequences and characters; a tab is a space. */
export function shownText(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(/\p{C}/gu, ' ')
}

/** The first line that is not blank. */
export function firstLine(text: string): string {
  return shortened(firstWords(text), LINE_LENGTH_MAX)
}

/** The same with more room, for sentences whose end says what to do. */
export function firstSentence(text: string): string {
  return shortened(firstWords(text), SENTENCE_LENGTH_MAX)
}

function firstWords(text: string): string {
  return shownText(text.split('\n').find((part) => part.trim() !== '') ?? '').trim()
}

/** As it is on a terminal, line by line. */
export function shownLines(text: string): string[] {
  return text.trimEnd().split('\n').map(shownText)
}

/** Cuts to so many columns, and marks the cut. */
export function shortened(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (width(text) <= columns) return text
  let end = 0
  let used = 0
  for (const { segment, index } of graphemes.segment(text)) {
    used += width(segment)
    if (used > columns - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}

/** `0:07`, `12:30`, `1:02:03` */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours = 0, minutes = 0, rest = 0] = parts
  const two = (part: number): string => String(part).padStart(2, '0')
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

/** `1 task`, `12,000 tasks` */
export function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
}

const SPANS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
] as const

/** `2 h 10 min`, `45 s`, `3 days 4 h`: the two largest parts, rounded up, so that what is left is never nothing. */
export function span(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000)) * 1000
  const whole = seconds >= 3_600_000 ? Math.ceil(seconds / 60_000) * 60_000 : seconds
  const first = SPANS.findIndex((part) => part.ms <= whole)
  const parts = SPANS.slice(first, first + 2).map(({ unit, ms: size }, at) => {
    const number = Math.floor((at === 0 ? whole : whole % (SPANS[first]?.ms ?? 1)) / size)
    return { number, text: unit === 'day' ? count(number, unit) : `${number} ${unit}` }
  })
  return parts.flatMap(({ number, text }) => (number === 0 ? [] : [text])).join(' ')
}

/** When something will be, where the user is: `03:00`, to the second where it is near, with the date where it is far. */
export function timeAhead(at: number, now: number): string {
  const [, hours, minutes] = [...(/(..):(..)/.exec(timeOfDay(at)) ?? [])]
  if (at - now < 600_000) return timeOfDay(at)
  if (at - now < 72_000_000) return `${hours}:${minutes}`
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${hours}:${minutes}`
}

/** `HH:MM:SS` where the user is. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
