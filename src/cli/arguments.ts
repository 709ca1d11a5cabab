// Reads a command's words by its own table of flags. A flag's value is whatever word follows, also one that starts with a
// dash: `-p -1` is a bad priority, not an unknown flag.
import { refuse } from '../core/error/error.ts'

export interface Flag {
  readonly long: string
  readonly short?: string
  /** `list`: several values are joined by commas. `value`: the last one counts. */
  readonly takes: 'value' | 'list' | 'nothing'
  /** The placeholder of the value in the help. */
  readonly value?: string
  readonly about?: string
}

export interface Arguments {
  readonly words: readonly string[]
  /** By long name, without dashes. */
  readonly flags: ReadonlyMap<string, string>
}

export function readArguments(argv: readonly string[], known: readonly Flag[], wordsMax: number): Arguments {
  const words: string[] = []
  const flags = new Map<string, string>()
  const rest = [...argv]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0))
    } else if (!word.startsWith('-') || word === '-') {
      words.push(word)
    } else {
      const { name, value } = split(word)
      const flag = known.find(
        ({ long, short }) => name === `--${long}` || (short !== undefined && name === `-${short}`),
      )
      if (flag === undefined) throw refuse('FLAG_UNKNOWN', { flag: name })
      if (flag.takes === 'nothing') {
        if (value !== null) throw refuse('FLAG_VALUE_UNEXPECTED', { flag: name })
        flags.set(flag.long, '')
      } else {
        const given = value ?? requireValue(rest.shift(), name)
        const before = flag.takes === 'list' ? flags.get(flag.long) : undefined
        flags.set(flag.long, before === undefined ? given : `${before},${given}`)
      }
    }
  }
  const unexpected = words[wordsMax]
  if (unexpected !== undefined) throw refuse('ARGUMENT_UNEXPECTED', { argument: unexpected })
  return { words, flags }
}

function split(word: string): { name: string; value: string | null } {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at === -1 ? { name: word, value: null } : { name: word.slice(0, at), value: word.slice(at + 1) }
}

function requireValue(value: string | undefined, flag: string): string {
  if (value === undefined) throw flag === '--by' ? refuse('BLOCKER_MISSING') : refuse('FLAG_VALUE_MISSING', { flag })
  return value
}
