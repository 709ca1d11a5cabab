// The scripted agent: a real program that follows a scenario file, for demos and tests.
import { resolve } from 'node:path'
import type { Call, AgentAdapter, Failure, Session } from '../agent.ts'
import { playerCommand } from './player-program.ts'
import { readScenario } from './read-scenario.ts'
import { playerReader } from './records.ts'
import { partFor } from './scenario.ts'
import type { Part } from './player-context.ts'

const MISSING = 'no scenario is set for the scripted agent; add [agent.scripted] scenario = "FILE.json" to ralph.toml'

/** `root` is the operator's checkout, which a relative path starts from. */
export function scriptedAdapter(scenario: string | null, root: string): AgentAdapter {
  const file = scenario === null ? null : resolve(root, scenario)
  return {
    name: 'scripted',
    promptFile: 'unread',
    describe: () => `${playerCommand().at(-1)} (plays ${file ?? 'no scenario'})`,
    ready: async () => {
      if (file === null) return { ready: false, reason: MISSING }
      const reading = await readScenario(file)
      return 'problem' in reading ? { ready: false, reason: reading.problem } : { ready: true }
    },
    call: (session) => callFor(file, session),
  }
}

/** The file is read at each session. What it lacks will be lacking the next time too, so that stops the loop. */
async function callFor(file: string | null, session: Session): Promise<Call | Failure> {
  if (file === null) return refused(MISSING)
  const reading = await readScenario(file)
  if ('problem' in reading) return refused(reading.problem)
  const { role, task, attempt, iteration, prompt } = session
  const fitting = partFor(reading.scenario, session)
  if (fitting === null) {
    const sought = `role ${role}, task ${task ?? 'none'}, attempt ${attempt}, iteration ${iteration}`
    return refused(`${file} has no session for ${sought}; add one, or one without these fields for all others`)
  }
  const part: Part = { role, task, attempt, iteration, prompt, steps: fitting.steps }
  return { argv: playerCommand(), input: JSON.stringify(part), reader: playerReader() }
}

function refused(sentence: string): Failure {
  return { kind: 'unknownCommand', sentence, until: null }
}
