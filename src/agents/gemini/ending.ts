// Reads the result of a session. Only the result line counts: the exit code is an HTTP status cut to a byte (145 is
// 401), and 0 after an empty answer.
import type { Failure } from '../agent.ts'
import { apiFailure, failure, quoted } from '../shared/api-failure.ts'
import { type Fields, fields, text } from '../shared/fields.ts'

const TROUBLED = {
  program: 'Gemini CLI',
  table: 'agent.gemini',
  login: 'run "gemini" and log in there, or mend the key that env of [agent.gemini] names',
}

/** Null: the session worked to its own end. `lastError` is what it said of an error before. */
export function failureOfResult(record: Fields, lastError: string, now: number): Failure | null {
  if (record['status'] === 'success') return stoppedEarly(lastError)
  const said = text(fields(record['error'])['message']) || lastError
  return (
    failureOfWords(said, now) ??
    failure('crashed', `Gemini CLI gave the session up${quoted(bare(said))}; 'ralph log' shows what happened before`)
  )
}

/** A session that it ended before the model was done is called a success, too. */
function stoppedEarly(lastError: string): Failure | null {
  if (/max(?:imum)? session turns/i.test(lastError))
    return failure(
      'timedOut',
      `the session reached a limit of its turns${quoted(lastError)}; raise it in args of [agent.gemini]`,
    )
  if (/loop (?:was )?detected/i.test(lastError))
    return failure(
      'badOutput',
      `the model did the same again and again, and Gemini CLI stopped it${quoted(lastError)}; word the task differently, or make it smaller`,
    )
  return null
}

/** Explains the stderr of a CLI that ended without a result. */
export function explainCrash(words: string): Failure | null {
  if (/unknown argument|invalid values|not a valid|is not supported/i.test(words)) {
    const mend = 'correct args of [agent.gemini], or update it with: npm install -g @google/gemini-cli'
    return failure('unknownCommand', `Gemini CLI does not know an option${quoted(words)}; ${mend}`)
  }
  return failureOfWords(words, Date.now())
}

function failureOfWords(said: string, now: number): Failure | null {
  const words = bare(said)
  const stopped = stoppedEarly(words)
  if (stopped !== null) return stopped
  if (/operation cancelled/i.test(words))
    return failure('killed', 'somebody interrupted Gemini CLI; the session is begun again')
  if (
    /empty response|malformed|blocked|safety|recitation|max(?:imum)? (?:output )?tokens? (?:limit|exceeded)/i.test(
      words,
    )
  )
    return failure(
      'badOutput',
      `the model gave no answer that can be used${quoted(words)}; word the task differently, or set another model`,
    )
  return apiFailure({ status: statusIn(said), words }, TROUBLED, now)
}

function statusIn(words: string): number | null {
  const code = /"code":\s?(\d{3})\b/.exec(words)?.[1]
  return code === undefined ? null : Number(code)
}

/** `[API Error: {"error":{"code":…,"message":"…"}}]` without what is around the message. */
function bare(words: string): string {
  const inner = /^\[API Error: (.*)\]/s.exec(words)?.[1] ?? words
  try {
    return text(fields(fields(JSON.parse(inner))['error'])['message']) || inner
  } catch {
    return inner
  }
}
