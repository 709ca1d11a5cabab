// How the OpenAI Responses API refuses: status, type, code and words as seen from the real one, and from the one behind a
// ChatGPT login where a limit is over at a time.
import type { Fault, Refusal } from './turn.ts'
import { type Answer, json } from './wire.ts'

interface Words {
  readonly status: number
  readonly type: string
  readonly code: string | null
  readonly message: string
}

const faults: Readonly<Record<Fault, Words>> = {
  auth: {
    status: 401,
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: dummy.',
  },
  forbidden: {
    status: 403,
    type: 'invalid_request_error',
    code: null,
    message: 'You have insufficient permissions for this operation.',
  },
  rateLimit: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.',
  },
  server: {
    status: 500,
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request.',
  },
  overload: {
    status: 503,
    type: 'server_error',
    code: 'server_is_overloaded',
    message: 'Our servers are currently overloaded. Please try again later.',
  },
  credit: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  tooLong: {
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  unknownModel: {
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model `scripted` does not exist or you do not have access to it.',
  },
  unscripted: {
    status: 400,
    type: 'invalid_request_error',
    code: null,
    message: 'the scenario has nothing to say to this',
  },
}

export function refusalAnswer(refusal: Refusal, id: number, now: number): Answer {
  const { refuses, words, resetsInSeconds } = refusal
  const { status, type, code, message } = faults[refuses]
  const retry = resetsInSeconds === undefined ? {} : { 'retry-after': `${resetsInSeconds}` }
  const usual = { type, code, param: null, message: words ?? message }
  const error = refuses === 'rateLimit' && resetsInSeconds !== undefined ? usageLimit(resetsInSeconds, now) : usual
  return json(status, { error }, { 'x-request-id': `req_${id}`, ...retry })
}

/** The body of a subscriber's limit; `resets_at` is in seconds since 1970. */
function usageLimit(seconds: number, now: number): object {
  return {
    type: 'usage_limit_reached',
    message: 'The usage limit has been reached',
    plan_type: 'plus',
    resets_at: Math.ceil(now / 1000) + seconds,
    resets_in_seconds: seconds,
  }
}

/** As the error of a response that failed in its stream. */
export function refusalError({ refuses, words }: Refusal): object {
  const { code, message } = faults[refuses]
  return { code: code ?? 'server_error', message: words ?? message }
}
