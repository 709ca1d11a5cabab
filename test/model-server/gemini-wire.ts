// The Gemini API.
import { geminiFault, geminiRefusal } from './gemini-faults.ts'
import { readGemini } from './gemini-read.ts'
import { event, geminiEvents, wholeGemini } from './gemini-write.ts'
import { json, type Wire } from './wire.ts'

/** Close enough for a count without a bill. */
const BYTES_PER_TOKEN = 4

export const geminiWire: Wire = {
  read: (path, body) => {
    const [, model = '', verb] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
    if (verb === 'streamGenerateContent') return { ask: readGemini(body, model, true) }
    if (verb === 'generateContent') return { ask: readGemini(body, model, false) }
    if (verb !== 'countTokens') return null
    return { answer: json(200, { totalTokens: Math.ceil(JSON.stringify(body ?? '').length / BYTES_PER_TOKEN) }) }
  },
  whole: wholeGemini,
  stream: geminiEvents,
  refusal: geminiRefusal,
  refusalPart: (refusal) => event(geminiFault(refusal)),
}
