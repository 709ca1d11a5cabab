// Who works here: agents announce themselves under a short id.
import { refuse } from '../../core/error/error.ts'
import { type AgentId, agentId, type Instant } from '../../core/values/id.ts'
import type { Agent, Store } from '../../store/store.ts'

const ID_TRIES_MAX = 100

export interface AgentDesk {
  readonly store: Pick<Store, 'agents'>
  readonly now: () => Instant
  /** A whole number from 0 to below `limit`. */
  readonly pick: (limit: number) => number
}

/** Gives the caller a free id of four hexadecimal digits. */
export async function registerAgent(desk: AgentDesk, pid: number, hostname: string): Promise<AgentId> {
  for (let tries = 0; tries < ID_TRIES_MAX; tries += 1) {
    const id = agentId(desk.pick(0x1_00_00).toString(16).padStart(4, '0'))
    if (await desk.store.agents.register({ id, pid, hostname, startedAt: desk.now() })) return id
  }
  throw refuse('AGENT_IDS_TAKEN')
}

export function listAgents({ store }: AgentDesk): Promise<Agent[]> {
  return store.agents.list()
}

export function deregisterAgent({ store }: AgentDesk, id: AgentId): Promise<void> {
  return store.agents.deregister(id)
}
