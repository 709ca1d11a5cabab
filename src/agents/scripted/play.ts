// Plays the steps of one session in the current folder. Everything is real: files, processes, floods, crashes.
import { NOTHING_USED } from '../agent.ts'
import { paceActs } from './pace-acts.ts'
import { fileActs } from './file-acts.ts'
import { processActs } from './process-acts.ts'
import type { Step, StepName } from './scenario.ts'
import { speechActs } from './speech-acts.ts'
import { type Act, type Acts, finalMessage, type Part, type Stage } from './player-context.ts'
import type { Voice } from './output-records.ts'

const acts: Acts<StepName> = { ...fileActs, ...processActs, ...speechActs, ...paceActs }

/** The exit code. */
export async function play(part: Part, voice: Voice, folder: string): Promise<number> {
  const stage: Stage = { part, voice, folder, answer: '', signal: '', used: NOTHING_USED }
  for (const [index, step] of part.steps.entries()) {
    try {
      const code = await perform(step, stage)
      if (typeof code === 'number') return code
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      voice.failure({ kind: 'crashed', sentence: `step ${index + 1} could not be played: ${why}`, until: null })
      return 1
    }
  }
  voice.finalMessage(finalMessage(stage))
  return 0
}

/** The scenario was checked: a step has one field, and its value is of that step's kind. */
function perform(step: Step, stage: Stage): ReturnType<Act<StepName>> {
  const [name, value] = Object.entries(step)[0] as [StepName, never]
  return (acts[name] as Act<StepName>)(value, stage)
}
