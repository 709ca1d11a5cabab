// Agents that announced themselves.
import { openStoreContext } from '../../compose.ts'
import { refuse } from '../../core/error/error.ts'
import { agentId } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import {
  type AgentStoreContext,
  agentState,
  deregisterAgent,
  listAgents,
  registerAgent,
} from '../../operations/tasks/agents.ts'
import type { Call, Command } from '../command.ts'
import { type NumberRule, wholeNumber } from '../number.ts'
import { print, printError, printJson } from '../output.ts'
import { taskTable } from './task-table.ts'

/** The largest process id of any system. */
const PID_RULE: NumberRule = { bad: 'PID_BAD', flag: '--pid', min: 1, max: 0x7f_ff_ff_ff }

export const register: Command = {
  usage: 'task agent register [--pid PID]',
  who: 'operator',
  about: 'Gives the calling process an agent ID; use it as RALPH_AGENT_ID.',
  flags: [
    { long: 'pid', takes: 'value', value: 'PID', about: 'the process that is the agent; default: who calls this' },
  ],
  wordsMax: 0,
  run: async (call) => {
    // The agent is the caller of this command, which itself ends in a moment.
    const pidFlag = call.flags.get('pid')
    const pid = pidFlag === undefined ? process.ppid : wholeNumber(pidFlag, PID_RULE)
    const { hostname } = await import('node:os')
    const id = await registerAgent(await openAgentStore(call), pid, hostname())
    if (call.wantsJson) printJson({ id })
    else print(`${id}\n`)
  },
}

export const list: Command = {
  usage: 'task agent list',
  who: 'operator',
  about: 'Lists the agents that announced themselves; a gone one no longer runs.',
  flags: [],
  wordsMax: 0,
  run: async (call) => {
    const { hostname } = await import('node:os')
    const here = hostname()
    const agents = (await listAgents(await openAgentStore(call))).map((agent) => ({
      id: agent.id,
      pid: agent.pid,
      hostname: agent.hostname,
      started: formatInstant(agent.startedAt),
      // Only the machine of a process knows whether it lives.
      status: agent.hostname === here ? agentState(agent.pid) : 'unknown',
    }))
    if (call.wantsJson) return printJson(agents)
    if (agents.length === 0) return printError('No agents.\n')
    const rows = agents.map((agent) => [agent.id, String(agent.pid), agent.hostname, agent.started, agent.status])
    print(await taskTable(['ID', 'PID', 'HOSTNAME', 'STARTED', 'STATUS'], rows))
  },
}

export const deregister: Command = {
  usage: 'task agent deregister ID',
  who: 'operator',
  about: 'Takes an agent off the list.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const [word] = call.words
    if (word === undefined) throw refuse('USAGE', { message: 'missing agent ID' })
    const id = agentId(word)
    await deregisterAgent(await openAgentStore(call), id)
    if (call.wantsJson) printJson({ id })
    else print(`deregistered ${id}\n`)
  },
}

async function openAgentStore(call: Call): Promise<AgentStoreContext> {
  const { store } = await openStoreContext(call.folder, call.env)
  return { store, now: Date.now, pick: (limit) => Math.floor(Math.random() * limit) }
}
