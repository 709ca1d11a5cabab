// The context that every task command starts from: the store of this repository, and the name of the caller.
import { askEngine, isSession, openStoreContext } from '../../compose.ts'
import { type AgentId, agentId, type TaskId, taskId } from '../../core/values/id.ts'
import type { SessionAnswers, SessionRequest } from '../../core/request/session-request.ts'
import { LEASE_DEFAULT_SECONDS } from '../../core/task/task.ts'
import { answerFromStore, type Speaker, type TaskStoreContext } from '../../operations/tasks/tasks.ts'
import type { Flag } from '../arguments.ts'
import type { Call } from '../command.ts'
import { wholeNumber } from '../number.ts'

export const AGENT_FLAG: Flag = {
  long: 'agent',
  takes: 'value',
  value: 'ID',
  about: 'who speaks; default: RALPH_AGENT_ID, else the operator',
}
export const LEASE_FLAG: Flag = {
  long: 'lease',
  takes: 'value',
  value: 'SECONDS',
  about: `how long the task is held; default ${LEASE_DEFAULT_SECONDS}`,
}

/** 316 years: as good as for ever, and its end is still a date of four-digit year. */
const OPERATOR_LEASE_SECONDS_MAX = 9_999_999_999

/** Requests that a session may make too: inside an iteration the engine answers, and the store stays closed. */
export async function ask<Request extends SessionRequest>(
  call: Call,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  const socket = engineSocket(call)
  if (socket !== null) return askEngine(socket, request)
  return answerFromStore(await openTaskStore(call), speakerOf(call), request)
}

export function speakerOf(call: Call): Speaker {
  return {
    named: () => namedAgent(call),
    claiming: () => claimingAgent(call),
    isSession: () => isSession(call.folder, call.env),
  }
}

/** For the operator only; `Command.who` refused all others before. */
export async function withTaskStore<T>(call: Call, work: (context: TaskStoreContext) => Promise<T>): Promise<T> {
  return work(await openTaskStore(call))
}

/**
 * The store is not closed: the process ends in a moment, and closing the last connection would make SQLite fold its whole
 * log back into the file first.
 */
async function openTaskStore(call: Call): Promise<TaskStoreContext> {
  const { store, scope } = await openStoreContext(call.folder, call.env)
  return { store, scope, now: Date.now }
}

/** The socket of the engine that started this session; null outside of a session. */
function engineSocket(call: Call): string | null {
  return call.env['RALPH_SOCKET'] || null
}

export function taskWord(call: Call): TaskId {
  return taskId(call.words[0] ?? '')
}

/** The agent that --agent or RALPH_AGENT_ID names; null: the operator. */
export function namedAgent(call: Call): AgentId | null {
  const agentFlag = call.flags.get('agent')
  // An empty --agent is a mistake. It must not mean the operator, who may do more.
  if (agentFlag !== undefined) return agentId(agentFlag)
  const inherited = call.env['RALPH_AGENT_ID'] ?? ''
  return inherited === '' ? null : agentId(inherited)
}

/** A claim always has a holder: without a name it is the user of this machine. */
async function claimingAgent(call: Call): Promise<AgentId> {
  const named = namedAgent(call)
  if (named !== null) return named
  // Loaded only here: agents have names, and wait for every command to start.
  const { hostname, userInfo } = await import('node:os')
  return agentId(`${userName(userInfo)}@${hostname()}`.replaceAll(/[\s\p{C}]/gu, '-'))
}

/** A container may run under a user id without a name. */
function userName(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username
  } catch {
    return `user-${process.getuid?.() ?? 'unknown'}`
  }
}

export function leaseSeconds(call: Call): number {
  const lease = call.flags.get('lease')
  if (lease === undefined) return LEASE_DEFAULT_SECONDS
  return wholeNumber(lease, { bad: 'LEASE_BAD', flag: '--lease', max: OPERATOR_LEASE_SECONDS_MAX })
}
