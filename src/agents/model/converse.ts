// The program of a model session: `node model-agent.js` reads its input as JSON from stdin and writes records to
// stdout.
import { readFileSync } from 'node:fs'
import { converse, type Teller } from './conversation.ts'
import { openModel } from './open-model.ts'
import type { ModelPart } from './part.ts'
import { recordLine } from '../shared/records.ts'
import { ALIVE, print } from './records.ts'
import { toolsFor } from './tools.ts'

const part = JSON.parse(readFileSync(0, 'utf8')) as ModelPart

/** Between two signs of life: enough for the shortest idle timeout, a second. */
const ALIVE_EVERY_MS = 250
let aliveAt = 0

const teller: Teller = {
  tell: (event) => print(recordLine(event)),
  isAlive: () => {
    const now = Date.now()
    if (now - aliveAt < ALIVE_EVERY_MS) return
    aliveAt = now
    print(ALIVE)
  },
}

const end = await converse(part, await openModel(part), toolsFor(part, process.cwd()), teller)
print(recordLine({ type: 'result', ...end }))
// A connection that is kept open would keep us.
process.exit('failure' in end ? 1 : 0)
