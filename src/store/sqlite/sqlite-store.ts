// The store of one machine: a SQLite file that any number of processes share.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import type { Instant } from '../../core/values/id.ts'
import type { Store } from '../store.ts'
import { agentStore } from './agents.ts'
import { buildStore } from './builds.ts'
import { changes } from './database/changes.ts'
import { connect } from './database/connection.ts'
import { guardFile } from './database/file-guard.ts'
import { noticeStore } from './notices.ts'
import { ideaStore } from './ideas.ts'
import { upgrade } from './database/schema.ts'
import { spendingStore } from './spending.ts'
import { taskStore } from './tasks.ts'
import { openWake } from './database/wake.ts'

/** How long to wait for a locked database. */
const BUSY_LIMIT_MS = 30_000

export async function openSqliteStore(
  path: string,
  now: () => Instant,
  busyLimitMs: number = BUSY_LIMIT_MS,
): Promise<Store> {
  makeFolder(dirname(path))
  const wake = openWake(path)
  const connection = await connect(path, { now, busyLimitMs, afterChange: wake.ring })
  try {
    await upgrade(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  const db = guardFile(connection)
  return {
    tasks: taskStore(db),
    agents: agentStore(db),
    builds: buildStore(db),
    spending: spendingStore(db),
    notices: noticeStore(db),
    ideas: ideaStore(db),
    changes: (signal) => changes(db, wake, signal),
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
