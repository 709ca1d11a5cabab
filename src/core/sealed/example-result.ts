// What came out of one example on one tree.
import type { CallExample, CommandExample, Json } from './example.ts'
import { isSameJson, valueAt } from './json-value.ts'

export interface ExampleResult {
  /**
   * Missing: the module, the exported name or the program is not there. Unclear: it could not be run at all, for a
   * reason that says nothing about the tree, such as a module that only the project's own bundler can load.
   */
  readonly is: 'holds' | 'fails' | 'missing' | 'unclear'
  /** What came out, for people. Of a missing one it holds no sealed value: the agent is told in full. */
  readonly answer: string
}

/** How a call ended, as the program that made it says. */
export type CallEnd =
  | { readonly is: 'returned'; readonly value: Json }
  | { readonly is: 'threw'; readonly error: string }
  | { readonly is: 'missing'; readonly what: string }
  /** Threw while it was loaded: the module itself does not work. */
  | { readonly is: 'broken'; readonly error: string }
  | { readonly is: 'unloadable'; readonly error: string }
  /** The value has no form in JSON. */
  | { readonly is: 'strange'; readonly what: string }

export interface CommandEnd {
  readonly exit: number
  readonly stdout: string
}

export const TOOK_TOO_LONG: ExampleResult = { is: 'fails', answer: 'took too long' }
export const PRINTED_TOO_MUCH: ExampleResult = { is: 'fails', answer: 'printed too much' }
export const NO_TIME_LEFT: ExampleResult = { is: 'unclear', answer: 'no time left' }

const ANSWER_LENGTH_MAX = 2_000

export function callResult({ call: { expects } }: CallExample, end: CallEnd): ExampleResult {
  switch (end.is) {
    case 'returned': {
      const holds = 'returns' in expects && isSameJson(end.value, expects.returns)
      return { is: holds ? 'holds' : 'fails', answer: `returned ${shown(JSON.stringify(end.value))}` }
    }
    case 'threw':
      return { is: 'throws' in expects ? 'holds' : 'fails', answer: `threw ${shown(end.error)}` }
    case 'missing':
      return { is: 'missing', answer: shown(end.what) }
    case 'broken':
      return { is: 'fails', answer: `threw while it was loaded: ${shown(end.error)}` }
    case 'unloadable':
      return { is: 'unclear', answer: `could not be loaded: ${shown(end.error)}` }
    case 'strange':
      return { is: 'fails', answer: `returned ${shown(end.what)}` }
  }
}

export function commandResult({ command }: CommandExample, { exit, stdout }: CommandEnd): ExampleResult {
  const { output } = command
  const answer = `exit code ${exit}, standard output ${shown(JSON.stringify(stdout))}`
  if (exit !== command.exit) return { is: 'fails', answer }
  if (output === null) return { is: 'holds', answer: `exit code ${exit}` }
  const holds =
    'stdout' in output
      ? stdout.trimEnd() === output.stdout.trimEnd()
      : isSameJson(valueAt(parsed(stdout), output.path), output.equals)
  return { is: holds ? 'holds' : 'fails', answer }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shown(text: string): string {
  return text.length > ANSWER_LENGTH_MAX ? `${text.slice(0, ANSWER_LENGTH_MAX)}…` : text
}
