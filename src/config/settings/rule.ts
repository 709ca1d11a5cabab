// The rules for values. A rule is data: the same table reads the file, the environment and the flags, and words the
// refusal.
import { readExamples } from '../../core/sealed/read-examples.ts'
import { formatDuration, parseDuration } from './duration.ts'
import { type LineFormName, misfit } from './setting-as-line.ts'
import { nearest } from './nearest.ts'
import { shownValue } from './toml-text.ts'
import { splitWords } from './command-words.ts'

const LIST_LENGTH_MAX = 200

type ScalarRule =
  | { readonly kind: 'whole' | 'amount'; readonly min: number; readonly max: number; readonly unit: string }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'duration'; readonly min: number; readonly max: number }
  /** `empty: 'none'`: an empty text means none, and the value is null. */
  | { readonly kind: 'line'; readonly form: LineFormName; readonly empty: 'none' | 'refused' }

export type Rule =
  | ScalarRule
  /** A program with arguments: a list, or one text that is split at its spaces. */
  | { readonly kind: 'argv' }
  /** Sealed examples. */
  | { readonly kind: 'examples' }
  | { readonly kind: 'list'; readonly of: ScalarRule; readonly twice: 'allowed' | 'refused' }

/** `problem` ends a sentence that starts with the key. */
export type Reading = { readonly value: unknown } | { readonly problem: string }

export function readValue(rule: Rule, value: unknown): Reading {
  switch (rule.kind) {
    case 'whole':
    case 'amount':
      return readNumber(rule, value)
    case 'switch':
      return typeof value === 'boolean' ? { value } : mustBe('true or false', value)
    case 'choice':
      return readChoice(rule.of, value)
    case 'duration':
      return readDuration(rule, value)
    case 'line':
      return readLine(rule, value)
    case 'argv':
      return readArgv(value)
    case 'examples':
      return readSealed(value)
    case 'list':
      return readList(rule, value)
  }
}

/** The value of a text from the environment or the command line. */
export function fromText(rule: Rule, text: string): unknown {
  if (rule.kind === 'whole' || rule.kind === 'amount') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (rule.kind !== 'switch') return text
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : text
}

/** The sentences of the reader hold no value of an example. */
function readSealed(value: unknown): Reading {
  const read = readExamples(value)
  return read.ok ? { value: read.value } : { problem: `is refused: ${read.problem}` }
}

function mustBe(what: string, value: unknown): Reading {
  return { problem: `must be ${what}, not ${shownValue(value)}` }
}

function readNumber(rule: Extract<Rule, { kind: 'whole' | 'amount' }>, value: unknown): Reading {
  const fits = typeof value === 'number' && value >= rule.min && value <= rule.max
  if (fits && (rule.kind === 'amount' || Number.isInteger(value))) return { value }
  const what = rule.kind === 'whole' ? 'a whole number' : 'a number'
  return mustBe(`${what} from ${rule.min} to ${rule.max} (${rule.unit})`, value)
}

function readChoice(of: readonly string[], value: unknown): Reading {
  if (typeof value === 'string' && of.includes(value)) return { value }
  const meant = typeof value === 'string' ? nearest(value, of) : null
  const hint = meant === null ? '' : `, did you mean "${meant}"?`
  return { problem: `must be one of ${of.join(', ')}, not ${shownValue(value)}${hint}` }
}

function readDuration(rule: Extract<Rule, { kind: 'duration' }>, value: unknown): Reading {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : null
  if (milliseconds === null) return mustBe('a duration such as "90s", "20m" or "1h30m"', value)
  if (milliseconds >= rule.min && milliseconds <= rule.max) return { value: milliseconds }
  return mustBe(`a duration from ${formatDuration(rule.min)} to ${formatDuration(rule.max)}`, value)
}

function readLine(rule: Extract<Rule, { kind: 'line' }>, value: unknown): Reading {
  if (typeof value !== 'string') return mustBe('a text', value)
  if (value === '' && rule.empty === 'none') return { value: null }
  const problem = misfit(rule.form, value)
  return problem === null ? { value } : { problem }
}

function readArgv(value: unknown): Reading {
  const words = typeof value === 'string' ? splitWords(value) : value
  if (words === null) return { problem: `has a quote that does not end: ${shownValue(value)}` }
  if (!Array.isArray(words)) return mustBe('a command or a list of its words', value)
  if (words.length === 0 || words[0] === '') return { problem: 'is empty, give a command' }
  return readList({ kind: 'list', of: { kind: 'line', form: 'argument', empty: 'refused' }, twice: 'allowed' }, words)
}

function readList(rule: Extract<Rule, { kind: 'list' }>, value: unknown): Reading {
  if (!Array.isArray(value)) return mustBe('a list', value)
  if (value.length > LIST_LENGTH_MAX) return { problem: `has ${value.length} items, the most is ${LIST_LENGTH_MAX}` }
  const items: unknown[] = []
  for (const [index, item] of value.entries()) {
    const reading = readValue(rule.of, item)
    if ('problem' in reading) return { problem: `item ${index + 1} ${reading.problem}` }
    if (rule.twice === 'refused' && items.includes(reading.value)) return { problem: `has ${shownValue(item)} twice` }
    items.push(reading.value)
  }
  return { value: items }
}
