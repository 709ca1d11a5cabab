// How a chat-completions API refuses: status, type, code and words as OpenAI's has them.
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
    message: 'Incorrect API key provided.',
  },
  forbidden: { status: 403, type: 'request_forbidden', code: null, message: 'Your project may not use this model.' },
  rateLimit: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests.',
  },
  server: { status: 500, type: 'server_error', code: null, message: 'The server had an error.' },
  overload: { status: 503, type: 'service_unavailable', code: null, message: 'The engine is currently overloaded.' },
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
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens.",
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

export function chatRefusal(refusal: Refusal, id: number): Answer {
  const { resetsInSeconds: seconds } = refusal
  const headers = seconds === undefined ? {} : { 'retry-after': `${seconds}` }
  return json(faults[refusal.refuses].status, body(refusal), { 'x-request-id': `req_${id}`, ...headers })
}

export function chatRefusalPart(refusal: Refusal): string {
  return `data: ${JSON.stringify(body(refusal))}\n\n`
}

function body({ refuses, words }: Refusal): object {
  const { type, code, message } = faults[refuses]
  return { error: { message: words ?? message, type, param: null, code } }
}
