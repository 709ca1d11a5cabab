// The store of one machine: a SQLite file that any number of processes share.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuse } from '../../core/error.ts'
import type { Instant } from '../../core/id.ts'
import type { Store } from '../store.ts'
import { agentStore } from './agents.ts'
import { buildStore } from './builds.ts'
import { connect } from './connection.ts'
import { upgrade } from './schema.ts'
import { taskStore } from './tasks.ts'
import { changes, openWake } from './wake.ts'

export async function openSqliteStore(path: string, now: () => Instant): Promise<Store> {
  makeFolder(dirname(path))
  const wake = openWake(path)
  const connection = await connect(path, now, wake.ring)
  try {
    await upgrade(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    tasks: taskStore(connection),
    agents: agentStore(connection),
    builds: buildStore(connection),
    changes: (signal) => changes(connection, signal),
    close: () => {
      wake.close()
      connection.close()
    },
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw refuse('STORE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error)
  }
}
