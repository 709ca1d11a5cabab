// The OpenAI Responses API.
import { refusalAnswer, refusalError } from './responses-faults.ts'
import { readResponses } from './responses-read.ts'
import { event, responseEvents, wholeResponse } from './responses-write.ts'
import type { Wire } from './wire.ts'

export const responsesWire: Wire = {
  read: (path, body) => (path.endsWith('/v1/responses') ? { ask: readResponses(body) } : null),
  whole: wholeResponse,
  stream: responseEvents,
  refusal: refusalAnswer,
  refusalPart: (refusal) => event('response.failed', { response: { status: 'failed', error: refusalError(refusal) } }),
}
