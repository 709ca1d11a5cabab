// Agents register themselves under a short id.
import { refuse } from '../../core/error/error.ts'
import { type AgentId, agentId, type Instant } from '../../core/values/id.ts'
import type { Agent, Store } from '../../store/store.ts'
import { isPidAlive } from '../../system/pid.ts'

const ID_TRIES_MAX = 100

export interface AgentStoreContext {
  readonly store: Pick<Store, 'agents'>
  readonly now: () => Instant
  /** A whole number from 0 to below `limit`. */
  readonly pick: (limit: number) => number
}

/** Gives the caller a free id of four hexadecimal digits. */
export async function registerAgent(context: AgentStoreContext, pid: number, hostname: string): Promise<AgentId> {
  for (let tries = 0; tries < ID_TRIES_MAX; tries += 1) {
    const id = agentId(context.pick(0x1_00_00).toString(16).padStart(4, '0'))
    if (await context.store.agents.register({ id, pid, hostname, startedAt: context.now() })) return id
  }
  throw refuse('AGENT_IDS_TAKEN')
}

export function listAgents({ store }: AgentStoreContext): Promise<Agent[]> {
  return store.agents.list()
}

export function deregisterAgent({ store }: AgentStoreContext, id: AgentId): Promise<void> {
  return store.agents.deregister(id)
}

/** Of an agent that runs on this machine. */
export function agentState(pid: number): 'active' | 'gone' {
  return isPidAlive(pid) ? 'active' : 'gone'
}
