// What every task command starts from: the store of this repository, and who speaks.
import { hostname, userInfo } from 'node:os'
import { openDesk } from '../../compose.ts'
import { refuse } from '../../core/error.ts'
import { type AgentId, agentId, type TaskId, taskId } from '../../core/id.ts'
import { LEASE_DEFAULT_SECONDS } from '../../core/task.ts'
import type { TaskDesk } from '../../operations/tasks.ts'
import type { Flag } from '../arguments.ts'
import type { Call } from '../command.ts'

export const AGENT_FLAG: Flag = { long: 'agent', takes: 'value' }
export const LEASE_FLAG: Flag = { long: 'lease', takes: 'value' }

/**
 * Opens the store for one piece of work. It is not closed: the process ends in a moment, and closing the last connection
 * would make SQLite fold its whole log back into the file first.
 */
export async function atDesk<T>(call: Call, work: (desk: TaskDesk) => Promise<T>): Promise<T> {
  const { store, scope } = await openDesk(call.folder, call.env)
  return work({ store, scope, now: Date.now })
}

export function taskWord(call: Call, index = 0): TaskId {
  return taskId(call.words[index] ?? '')
}

/** Who is named by --agent or RALPH_AGENT_ID; null: the person at the keyboard. */
export function namedAgent(call: Call): AgentId | null {
  const id = call.flags.get('agent') ?? call.env['RALPH_AGENT_ID']
  return id === undefined || id === '' ? null : agentId(id)
}

/** Somebody always holds a claim: without a name it is the user of this machine. */
export function claimingAgent(call: Call): AgentId {
  const named = namedAgent(call)
  if (named !== null) return named
  return agentId(`${userInfo().username}@${hostname()}`)
}

export function leaseSeconds(call: Call): number {
  const lease = call.flags.get('lease') ?? String(LEASE_DEFAULT_SECONDS)
  const seconds = wholeNumber(lease)
  if (seconds === null) throw refuse('LEASE_BAD')
  return seconds
}

/** Null where the text is not a whole number that can be counted with. */
export function wholeNumber(text: string): number | null {
  const number = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(number * 1000) ? number : null
}
