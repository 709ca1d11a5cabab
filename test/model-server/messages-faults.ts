// How the Anthropic Messages API refuses: status, type, words and headers as seen from the real one.
import type { Fault, Refusal } from './turn.ts'
import { type Answer, json } from './wire.ts'

interface Words {
  readonly status: number
  readonly type: string
  readonly message: string
}

const faults: Readonly<Record<Fault, Words>> = {
  auth: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: { status: 403, type: 'permission_error', message: 'Your API key does not have permission to use this.' },
  rateLimit: { status: 429, type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  server: { status: 500, type: 'api_error', message: 'Internal server error' },
  overload: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  credit: {
    status: 400,
    type: 'invalid_request_error',
    message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.',
  },
  tooLong: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 250000 tokens > 200000 maximum',
  },
  unknownModel: { status: 404, type: 'not_found_error', message: 'model: scripted' },
  unscripted: { status: 400, type: 'invalid_request_error', message: 'the scenario has nothing to say to this' },
}

export function refusalAnswer(refusal: Refusal, id: number, now: number): Answer {
  const { status } = faults[refusal.refuses]
  return json(status, body(refusal), { 'request-id': `req_${id}`, ...limitHeaders(refusal, now) })
}

export function refusalBody(refusal: Refusal): string {
  return JSON.stringify(body(refusal))
}

function body({ refuses, words }: Refusal): object {
  const { type, message } = faults[refuses]
  return { type: 'error', error: { type, message: words ?? message } }
}

/** The headers of a subscriber's limit; `reset` is in seconds since 1970. */
function limitHeaders({ refuses, resetsInSeconds }: Refusal, now: number): Record<string, string> {
  if (resetsInSeconds === undefined) return {}
  const retry = { 'retry-after': `${resetsInSeconds}` }
  if (refuses !== 'rateLimit') return retry
  const reset = `${Math.ceil(now / 1000) + resetsInSeconds}`
  return {
    ...retry,
    'x-should-retry': 'false',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
  }
}
