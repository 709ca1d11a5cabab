// The CLI of examples/echo-adapter.ts, playing the scenarios of the conformance suite: `echo-player-program.ts STEPS.json`.
import { readFileSync } from 'node:fs'
import { play } from '../../src/agents/scripted/play.ts'
import type { Step } from '../../src/agents/scripted/scenario.ts'
import { print, type Voice } from '../../src/agents/scripted/output-records.ts'

const say = (record: object): void => print(Buffer.from(`${JSON.stringify(record)}\n`))
const voice: Voice = {
  event: (event) => {
    if (event.type === 'text') say({ say: event.text })
    if (event.type === 'toolUse') say({ tool: event.tool, input: event.input })
    if (event.type === 'toolResult') say({ output: event.output, failed: event.isError })
  },
  finalMessage: (text) => say({ done: text }),
  failure: ({ sentence }) => say({ error: sentence }),
  raw: print,
}

const { steps, iteration } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  steps: Step[]
  iteration: number
}
const prompt = readFileSync(0, 'utf8')
const part = { role: 'implementer', task: 't1', attempt: 1, iteration, prompt, steps } as const
process.exit(await play(part, voice, process.cwd()))
