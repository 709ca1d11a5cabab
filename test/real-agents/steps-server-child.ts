// A scripted model in a process of its own, for steps whose memory must not be taken for the agent's:
// `steps-server-child.ts STEPS_JSON [AGENT]` prints its address and serves until it is killed.
import type { Step } from '../../src/agents/scripted/scenario.ts'
import { inTongueOf } from '../model-server/foreign-tools.ts'
import { startModelServer } from '../model-server/server.ts'
import { stepsAsTurns } from './steps-as-turns.ts'

const [, , steps = '[]', agent = 'claude'] = process.argv
const { address } = await startModelServer(inTongueOf(agent, stepsAsTurns(JSON.parse(steps) as Step[])))
console.log(address)
