// The program of a model session: `node model-agent.js`, its part as JSON on stdin, records on stdout.
import { readFileSync } from 'node:fs'
import { redactedEvent, redactor } from '../secrets.ts'
import { recordVoice } from '../scripted/voice.ts'
import { converse, type Teller } from './conversation.ts'
import { openModel } from './open-model.ts'
import type { ModelPart } from './part.ts'
import { toolsFor } from './tools.ts'

const part = JSON.parse(readFileSync(0, 'utf8')) as ModelPart
const voice = recordVoice()
const redact = redactor(part.key === null ? [] : [part.key])

/** Between two signs of life: enough for the shortest idle timeout, a second. */
const ALIVE_EVERY_MS = 250
let aliveAt = 0

const teller: Teller = {
  tell: (event) => voice.event(redactedEvent(event, redact)),
  // An empty line is no event, and no silence either.
  isAlive: () => {
    const now = Date.now()
    if (now - aliveAt < ALIVE_EVERY_MS) return
    aliveAt = now
    voice.raw(Buffer.from('\n'))
  },
}

const tools = toolsFor(part, process.cwd())
const end = await converse(part, await openModel(part), tools, teller)
if ('failure' in end) voice.failure({ ...end.failure, sentence: redact(end.failure.sentence) })
else voice.finalMessage(redact(end.finalMessage))
// A connection that is kept open would keep us.
process.exit('failure' in end ? 1 : 0)
