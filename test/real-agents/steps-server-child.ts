// A scripted model in a process of its own, for steps whose memory must not be taken for the agent's:
// `steps-server-child.ts STEPS_JSON [AGENT]` prints its address and serves until it is killed.
import type { Step } from '../../src/agents/scripted/scenario.ts'
import { forCodex } from '../model-server/codex-tools.ts'
import { inTongueOf } from '../model-server/foreign-tools.ts'
import { startModelServer } from '../model-server/server.ts'
import { stepsAsTurns } from './steps-as-turns.ts'

const [, , steps = '[]', agent = 'claude'] = process.argv
const scenario = stepsAsTurns(JSON.parse(steps) as Step[])
const { address } = await startModelServer(agent === 'codex' ? forCodex(scenario) : inTongueOf(agent, scenario))
console.log(address)
