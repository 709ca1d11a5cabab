import { refuse } from '../../core/error/error.ts'
import type { AgentId } from '../../core/values/id.ts'
import type { AgentStore } from '../store.ts'
import type { Connection } from './database/connection.ts'

interface AgentRow {
  readonly id: AgentId
  readonly pid: number
  readonly hostname: string
  readonly started_at: number
}

export function agentStore(db: Connection): AgentStore {
  return {
    register: (agent) =>
      db.write(() => {
        if (db.get('SELECT 1 FROM agents WHERE id = ?', agent.id) !== undefined) return false
        db.run(
          'INSERT INTO agents (id, pid, hostname, started_at) VALUES (?, ?, ?, ?)',
          agent.id,
          agent.pid,
          agent.hostname,
          agent.startedAt,
        )
        return true
      }),

    list: () =>
      db.read(() =>
        db
          .all<AgentRow>('SELECT * FROM agents ORDER BY started_at, id')
          .map(({ id, pid, hostname, started_at }) => ({ id, pid, hostname, startedAt: started_at })),
      ),

    deregister: (id) =>
      db.write(() => {
        if (db.get('SELECT 1 FROM agents WHERE id = ?', id) === undefined) throw refuse('AGENT_NOT_FOUND', { id })
        db.run('DELETE FROM agents WHERE id = ?', id)
      }),
  }
}
