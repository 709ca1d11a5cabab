// Classifies a provider's refusal, or the end of a connection, as one of the failures that every agent has.
import { APICallError, type LanguageModelV4FinishReason } from '@ai-sdk/provider'
import { errnoOf } from '../../system/errno.ts'
import type { Failure, FailureKind } from '../agent.ts'
import type { ModelPart } from './part.ts'
import { SaidTooMuch, StreamBroken } from './request.ts'
import { resetTime } from './reset-time.ts'

export interface Explained {
  readonly failure: Failure
  /** A second request may well get through. */
  readonly again: boolean
  /** The provider had started to answer, and the cost of that is unknown. */
  readonly isBegun?: boolean
}

type RequestTarget = Pick<ModelPart, 'provider' | 'model' | 'address' | 'keyVariable' | 'maxOutputTokens'>

const WORDS_MAX = 300

export function explained(error: unknown, part: RequestTarget, now: number): Explained {
  if (error instanceof StreamBroken) return unreadableAnswer(part)
  if (error instanceof SaidTooMuch) {
    const sentence = 'the model said more than 64 million characters and was stopped'
    return { failure: failure('badOutput', sentence), again: false, isBegun: true }
  }
  const status = statusOf(error)
  const words = wordsOf(error)
  if (status === null || status < 400) return unanswered(error, words, part)
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {}
  const body = APICallError.isInstance(error) ? (error.responseBody ?? '') : ''
  const kind = kindOf(status, `${words} ${body}`, part)
  const isLimit = kind === 'rateLimit' || kind === 'overload'
  const until = isLimit ? resetTime(headers, body, now) : null
  return {
    failure: { kind, sentence: sentenceOf(kind, status, words, part), until },
    again: kind === 'overload' && until === null,
  }
}

function kindOf(status: number, words: string, { provider }: RequestTarget): FailureKind {
  if (status === 401 || status === 403 || /api key not valid|API_KEY_INVALID/i.test(words)) return 'auth'
  if (
    status === 402 ||
    /credit balance|credits are depleted|insufficient_quota|billing_error|billing hard limit/i.test(words)
  )
    return 'billing'
  // Gemini speaks of billing in every limit, and means the minute.
  if (status === 429)
    return provider !== 'google' && /exceeded your current quota/i.test(words) ? 'billing' : 'rateLimit'
  if (
    status === 413 ||
    /prompt is too long|context[ _]length|context window|maximum context|too many (?:input )?tokens|token count.*exceeds|exceeds the (?:maximum|available)/i.test(
      words,
    )
  )
    return 'contextTooLong'
  if (status === 404) return 'unknownCommand'
  if (status >= 500 || status === 408 || status === 425) return 'overload'
  return 'crashed'
}

function sentenceOf(
  kind: FailureKind,
  status: number,
  words: string,
  { provider, model, keyVariable, address }: RequestTarget,
): string {
  const said = `(${status}: ${words})`
  switch (kind) {
    case 'auth':
      return keyVariable === null
        ? `${provider} wants a key ${said}; name the variable that holds it: key_variable in [agent.model]`
        : `${provider} does not accept the key in ${keyVariable} ${said}; set a valid one`
    case 'billing':
      return `there is no credit left at ${provider} ${said}; add some, or use another agent`
    case 'rateLimit':
      return `the limit of ${provider} is reached ${said}`
    case 'overload':
      return `${provider} is overloaded or down ${said}`
    case 'contextTooLong':
      return `the conversation is too long for ${model} ${said}`
    case 'unknownCommand':
      return `${provider} at ${address} has no model ${JSON.stringify(model)} ${said}; correct model or base_url in [agent.model]`
    default:
      return `${provider} refuses the request ${said}`
  }
}

function unreadableAnswer({ provider }: RequestTarget): Explained {
  return { failure: failure('overload', `the answer of ${provider} broke off`), again: true, isBegun: true }
}

/** No status: the connection failed, or what came was no answer. */
function unanswered(error: unknown, words: string, part: RequestTarget): Explained {
  const cause = causeOf(error)
  if (cause !== null) {
    const isBegun = !APICallError.isInstance(error) || error.statusCode !== undefined
    if (isBegun) return unreadableAnswer(part)
    const sentence = `${part.provider} cannot be reached at ${part.address} (${cause}); see to the network, or correct base_url in [agent.model]`
    return { failure: failure('overload', sentence), again: true }
  }
  if (/overloaded/i.test(words))
    return { failure: failure('overload', sentenceOf('overload', 529, words, part)), again: true }
  if (/without a finish reason|terminated|aborted/i.test(words)) return unreadableAnswer(part)
  return { failure: failure('badOutput', `the answer of ${part.provider} cannot be read (${words})`), again: false }
}

/** The system's or the HTTP client's name for it; null: it is of another kind. */
function causeOf(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const errno = errnoOf(at)
    if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(errno) && errno !== 'ERR') return errno
    if (at.message === 'terminated') return 'the connection was cut'
  }
  return APICallError.isInstance(error) && error.statusCode === undefined ? wordsOf(error) : null
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null
  return typeof error.statusCode === 'number' ? error.statusCode : null
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : messageText(error)
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX)}…` : line
}

/** Inside of a stream some send an object. */
function messageText(value: unknown): string {
  const message = typeof value === 'object' && value !== null && 'message' in value ? value.message : value
  return typeof message === 'string' ? message : (JSON.stringify(message) ?? 'no words')
}

/** An answer that is not whole must not pass for one; null: it is. */
export function cutFailure(finish: LanguageModelV4FinishReason['unified'], part: RequestTarget): Failure | null {
  if (finish === 'length') {
    const sentence = `the answer was cut off at the most tokens that ${part.model} may give; set max_output_tokens in [agent.model] higher, or ask for less`
    return failure('badOutput', sentence)
  }
  if (finish === 'content-filter') return failure('badOutput', `${part.model} refused to answer`)
  return finish === 'error' ? failure('badOutput', `${part.model} ended its answer with an error`) : null
}

function failure(kind: FailureKind, sentence: string): Failure {
  return { kind, sentence, until: null }
}
