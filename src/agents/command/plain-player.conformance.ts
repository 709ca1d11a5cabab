// A CLI for the command agent: the prompt comes on stdin or in a file, and plain text goes to stdout. It plays the
// same scenarios as the scripted agent: `node plain-player.conformance.ts STEPS.json [PROMPT_FILE]`.
import { readFileSync } from 'node:fs'
import { play } from '../scripted/play.ts'
import type { Step } from '../scripted/scenario.ts'
import { print, type Voice } from '../scripted/output-records.ts'

const say = (text: string): void => print(Buffer.from(`${text}\n`))
const voice: Voice = {
  event: (event) => {
    if (event.type === 'text') say(event.text)
  },
  finalMessage: say,
  failure: ({ sentence }) => process.stderr.write(`${sentence}\n`),
  raw: print,
}

const [, , scenario = '', promptFile] = process.argv
const { steps, iteration } = JSON.parse(readFileSync(scenario, 'utf8')) as { steps: Step[]; iteration: number }
const prompt = readFileSync(promptFile ?? 0, 'utf8')
const part = { role: 'implementer', task: 't1', attempt: 1, iteration, prompt, steps } as const
process.exit(await play(part, voice, process.cwd()))
