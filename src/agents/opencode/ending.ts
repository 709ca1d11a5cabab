// Classifies an error of opencode. Each has a name, and an error of the API has a status and headers.
import type { Failure } from '../agent.ts'
import { apiFailure, failure, quoted } from '../shared/api-failure.ts'
import { type Fields, fields, numberOrNull, text } from '../shared/fields.ts'

const TROUBLED = {
  program: 'opencode',
  table: 'agent.opencode',
  login: 'run "opencode auth login", or mend the key that env of [agent.opencode] names',
}

export function failureOfError(error: Fields, now: number): Failure {
  const data = fields(error['data'])
  const name = text(error['name'])
  const words = text(data['message']) || text(error['message']) || name
  if (name === 'MessageAbortedError')
    return failure('killed', 'somebody interrupted opencode; the session is begun again')
  if (name === 'MessageOutputLengthError') return TOO_LONG
  // The wait is in the headers only.
  const wait = text(fields(data['responseHeaders'])['retry-after'])
  const status = numberOrNull(data['statusCode'])
  const said = `${name === 'APIError' ? '' : `${name}: `}${words}`
  const known = apiFailure({ status, words: said }, TROUBLED, now)
  if (known === null)
    return failure('crashed', `opencode gave the session up${quoted(said)}; 'ralph log' shows what happened before`)
  const seconds = Number(wait)
  const isWait = known.kind === 'rateLimit' && known.until === null && wait !== '' && seconds > 0
  return isWait ? { ...known, until: now + seconds * 1000 } : known
}

const TOO_LONG = failure('badOutput', 'the model said more than one answer can hold; make the task smaller')

/** Why the last step ended; null: because it was done. */
export function failureOfStop(reason: string): Failure | null {
  if (reason === 'length') return TOO_LONG
  if (reason !== 'content-filter') return null
  return failure('badOutput', 'the model refused to answer; word the task differently, or set another model')
}

/** Words on stderr of a program that ended before it could say a result. */
export function explainCrash(words: string): Failure | null {
  if (
    /unknown argument|invalid values|^Configuration|config(?:uration)? (?:file )?.{0,200}(?:invalid|not valid)/i.test(
      words,
    )
  )
    return failure(
      'unknownCommand',
      `opencode does not understand how it is called${quoted(words)}; correct args of [agent.opencode], or its own configuration`,
    )
  return apiFailure({ status: null, words }, TROUBLED, Date.now())
}
