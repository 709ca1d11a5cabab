// How the Gemini API refuses: status, words and details as seen from the real one.
import type { Fault, Refusal } from './turn.ts'
import { type Answer, json } from './wire.ts'

interface Words {
  readonly code: number
  readonly status: string
  readonly message: string
}

const faults: Readonly<Record<Fault, Words>> = {
  auth: {
    code: 401,
    status: 'UNAUTHENTICATED',
    message: 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other.',
  },
  forbidden: { code: 403, status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  rateLimit: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  server: { code: 500, status: 'INTERNAL', message: 'An internal error has occurred. Please retry or report.' },
  overload: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  credit: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.',
  },
  tooLong: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'The input token count (2500000) exceeds the maximum number of tokens allowed (1048576).',
  },
  unknownModel: { code: 404, status: 'NOT_FOUND', message: 'models/scripted is not found for API version v1beta' },
  unscripted: { code: 400, status: 'INVALID_ARGUMENT', message: 'the scenario has nothing to say to this' },
}

export function geminiRefusal(refusal: Refusal): Answer {
  return json(faults[refusal.refuses].code, geminiFault(refusal))
}

export function geminiFault({ refuses, words, resetsInSeconds }: Refusal): object {
  const { code, status, message } = faults[refuses]
  const wait = resetsInSeconds === undefined ? '' : ` Please retry in ${resetsInSeconds}s.`
  const details = [
    ...(refuses === 'rateLimit' ? [QUOTA] : []),
    ...(resetsInSeconds === undefined ? [] : [{ '@type': `${TYPES}RetryInfo`, retryDelay: `${resetsInSeconds}s` }]),
  ]
  return {
    error: { code, message: `${words ?? message}${wait}`, status, ...(details.length === 0 ? {} : { details }) },
  }
}

const TYPES = 'type.googleapis.com/google.rpc.'

/** Of a day: such a limit is not tried again within a session. */
const QUOTA = {
  '@type': `${TYPES}QuotaFailure`,
  violations: [
    {
      quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
      quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
      quotaValue: '250',
    },
  ],
}
