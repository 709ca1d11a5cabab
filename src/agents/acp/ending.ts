// Classifies the end of a turn, or the error in its place.
import type { StopReason } from '@agentclientprotocol/sdk'
import { cutToLength } from '../../core/values/text-bounds.ts'
import type { Failure } from '../agent.ts'
import { apiFailure, failure, quoted } from '../shared/api-failure.ts'
import { type Fields, fields, list, numberOrNull, text } from '../shared/fields.ts'

/** Of JSON-RPC and of the protocol. */
const AUTH_REQUIRED = -32_000
const METHOD_UNKNOWN = -32_601
/** Of an error, in UTF-16 units; a cause is in its first lines. */
const WORDS_MAX = 4000

export interface About {
  /** The name that the agent gives itself. */
  readonly agent: string
  /** The login methods that it offers. */
  readonly logins: readonly string[]
}

/** Null: the session worked to its own end. */
export function failureOfStop(reason: string): Failure | null {
  switch (reason as StopReason) {
    case 'end_turn':
      return null
    case 'max_tokens':
      return failure('badOutput', 'the model said more than one answer can hold; make the task smaller')
    case 'max_turn_requests':
      return failure('timedOut', 'the session reached a limit of the agent on requests; raise it in its own settings')
    case 'refusal':
      return failure('badOutput', 'the model refused to answer; word the task differently, or set another model')
    case 'cancelled':
      return failure('killed', 'the agent says that somebody cancelled the session; it is begun again')
    default:
      return failure(
        'badOutput',
        `the agent ended its turn for a reason that is not known${quoted(reason)}; update Ralph`,
      )
  }
}

/** `during` names the request. */
export function failureOfError(error: Fields, during: string, about: About, now: number): Failure {
  const words = wordsOf(error)
  const login = `log in with the agent's own program once${loginOffer(about)}, or name its key as env in [agent.acp]`
  const troubled = { program: about.agent, table: 'agent.acp', login }
  const code = numberOrNull(error['code'])
  if (code === AUTH_REQUIRED) return failure('auth', `${about.agent} is not logged in${quoted(words)}; ${login}`)
  if (code === METHOD_UNKNOWN)
    return failure('unknownCommand', `${about.agent} does not know ${during}; check command and args in [agent.acp]`)
  const known = apiFailure({ status: statusOf(error, words), words }, troubled, now)
  return (
    known ??
    failure('crashed', `${about.agent} could not do ${during}${quoted(words)}; 'ralph log' shows what came before`)
  )
}

/** The message is often only "Internal error"; the data then has the reason. */
function wordsOf(error: Fields): string {
  const data = error['data']
  const more = typeof data === 'string' ? data : text(fields(data)['details']) || text(fields(data)['message'])
  const rest = more === '' && data !== undefined ? JSON.stringify(data) : more
  // These two words alone say nothing; those of an API are followed by more.
  const message = text(error['message']).replace(/^internal error(?:$|: )/i, '')
  return cutToLength([message, rest].filter((words) => words !== '').join(': '), WORDS_MAX)
}

function statusOf(error: Fields, words: string): number | null {
  const data = fields(error['data'])
  const told = numberOrNull(data['status']) ?? numberOrNull(data['statusCode']) ?? numberOrNull(error['code'])
  if (told !== null && told >= 400 && told < 600) return told
  const said = /(?:status|error|code|HTTP)["': ]{0,4}([45]\d\d)\b/i.exec(words)?.[1]
  return said === undefined ? null : Number(said)
}

function loginOffer({ logins }: About): string {
  return logins.length === 0 ? '' : ` (it offers: ${logins.slice(0, 5).join(', ')})`
}

export function loginsIn(answer: Fields): string[] {
  return list(answer['authMethods']).flatMap((method) => text(fields(method)['name']) || [])
}
