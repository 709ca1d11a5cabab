// opencode retries a failing API for ever, and waits for a limit in silence, even for an hour. Only its log on
// stderr reports it: `… level=ERROR … message="stream error" … error.error="AI_APICallError: …"`.
import type { Failure } from '../agent.ts'
import { failureOfError } from './ending.ts'

/** They wait 2, 4, 8, 16 and 30 s. */
const ERRORS_MAX = 6

export interface StreamErrors {
  /** Reads one line of the log; a failure: waiting is of no use. */
  readonly readLine: (line: string) => Failure | null
  /** The model has answered. */
  readonly over: () => void
  /** The last failure, while the model has not answered since. */
  readonly last: () => Failure | null
}

export function streamErrors(now: () => number): StreamErrors {
  let inRow = 0
  let last: Failure | null = null
  let hasSpoken = false
  return {
    last: () => last,
    over: () => {
      inRow = 0
      last = null
      hasSpoken = true
    },
    readLine: (line) => {
      const words = /message="stream error".*error\.error="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
      if (words === undefined) return null
      inRow += 1
      last = failureOfError({ name: 'APIError', data: { message: words.replace(/^AI_\w+: /, '') } }, now())
      // Before the first answer, a new start after the limit loses nothing.
      const isLimit = last.kind === 'rateLimit' || last.kind === 'billing'
      return inRow >= ERRORS_MAX || (isLimit && !hasSpoken) ? last : null
    },
  }
}
