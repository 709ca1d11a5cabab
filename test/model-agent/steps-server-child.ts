// A scripted model in a process of its own, for steps whose memory must not be taken for the agent's:
// `steps-server-child.ts STEPS_JSON` prints its address and serves until it is killed.
import type { Step } from '../../src/agents/scripted/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import { stepsByTools } from './steps-by-tools.ts'

const [, , steps = '[]'] = process.argv
const { address } = await startModelServer(stepsByTools(JSON.parse(steps) as Step[]))
console.log(address)
