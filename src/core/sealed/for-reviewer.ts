// The examples with their values, for a reviewer and for people; and a reviewer's words without them, for the agent.
import { exampleJson, type Json, type SealedExample } from './example.ts'
import type { ExampleResult } from './example-result.ts'

export interface TriedExamples {
  readonly examples: readonly SealedExample[]
  readonly onBase: readonly ExampleResult[]
  readonly results: readonly ExampleResult[]
}

export function triedText({ examples, onBase, results }: TriedExamples): string {
  return examples
    .map((example, at) => {
      const [now, before] = [results[at], onBase[at]]
      return [
        `${at + 1}. ${JSON.stringify(exampleJson(example))}`,
        ...(now === undefined ? [] : [`   ${now.is} with this change: ${now.answer}`]),
        ...(before === undefined ? [] : [`   ${before.is} without it: ${before.answer}`]),
      ].join('\n')
    })
    .join('\n')
}

/** Shorter ones stand in any sentence by chance. */
const VALUE_LENGTH_MIN = 3
export const SEALED_VALUE = '(a sealed value)'

/**
 * A reviewer may quote what it was shown, and its words reach the agent. Numbers of one or two digits stay: nothing tells
 * them from other numbers.
 */
export function withoutValues(text: string, examples: readonly SealedExample[]): string {
  const values = examples.flatMap((example) => valuesIn(exampleValues(example)))
  const long = [...new Set(values)].filter(({ length }) => length >= VALUE_LENGTH_MIN)
  return long
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, value) => left.replaceAll(wholeWords(value), SEALED_VALUE), text)
}

/** `100` is no part of `1000`. */
function wholeWords(value: string): RegExp {
  const literal = value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const edge = /[\p{L}\p{N}]/u
  const before = edge.test(value.at(0) ?? '') ? '(?<![\\p{L}\\p{N}])' : ''
  const after = edge.test(value.at(-1) ?? '') ? '(?![\\p{L}\\p{N}])' : ''
  return new RegExp(before + literal + after, 'gu')
}

function exampleValues(example: SealedExample): Json {
  if ('call' in example) {
    const { args, expects } = example.call
    return [...args, ...('returns' in expects ? [expects.returns] : [])]
  }
  const { argv, stdin, output } = example.command
  const expected = output === null ? [] : 'stdout' in output ? [output.stdout] : [output.equals]
  return [argv.slice(1).filter(isSealedWord), stdin, ...expected]
}

/** The program's own file and its switches stand in the acceptance. */
function isSealedWord(word: string): boolean {
  return !word.startsWith('-') && !/^[\w./-]+\.\w{1,4}$/.test(word)
}

function valuesIn(value: Json): string[] {
  if (typeof value === 'string') return [value, value.trim()]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  const whole = JSON.stringify(value)
  const inner = Array.isArray(value) ? value : Object.values(value)
  return [whole, whole.replaceAll(',', ', '), ...inner.flatMap(valuesIn)]
}
