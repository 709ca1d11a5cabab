// The Anthropic Messages API.
import { refusalAnswer, refusalBody } from './messages-faults.ts'
import { readMessages } from './messages-read.ts'
import { messageEvents, wholeMessage } from './messages-write.ts'
import { json, type Wire } from './wire.ts'

/** Close enough for a count without a bill. */
const BYTES_PER_TOKEN = 4

export const messagesWire: Wire = {
  read: (path, body) => {
    if (path.endsWith('/v1/messages')) return { ask: readMessages(body) }
    if (path.endsWith('/v1/messages/count_tokens'))
      return { answer: json(200, { input_tokens: Math.ceil(JSON.stringify(body ?? '').length / BYTES_PER_TOKEN) }) }
    return null
  },
  whole: wholeMessage,
  stream: messageEvents,
  refusal: refusalAnswer,
  refusalPart: (refusal) => `event: error\ndata: ${refusalBody(refusal)}\n\n`,
}
