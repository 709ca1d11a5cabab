// Processes that claim and finish tasks side by side in one database, for a slice of time whenever they are told to.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'
import type { Place } from '../src/config/place.ts'
import type { Slice } from './claim-slices.ts'

export interface Crew {
  /** Lets the first `processes` of the crew work on a plan that is all open again. */
  readonly work: (processes: number, milliseconds: number) => Promise<Slice[]>
  readonly close: () => void
}

/** The worker is bundled first: started by itself it would have to read SQL files as modules. */
export async function startCrew(folder: string, worker: string, plan: Place, size: number): Promise<Crew> {
  const bundle = join(folder, `${worker}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${worker}.ts`)],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  })
  const path = join(folder, `${worker}.db`)
  copyFileSync(plan.storePath, path)
  const children = Array.from({ length: size }, () => fork(bundle, [path, plan.scope.repo, plan.scope.branch]))
  await Promise.all(children.map(answer))
  const database = new DatabaseSync(path, { timeout: 30_000 })
  return {
    work: (processes, milliseconds) => {
      reopenAll(database)
      const working = children.slice(0, processes)
      const slices = Promise.all(working.map(answer)) as Promise<Slice[]>
      for (const child of working) child.send(milliseconds)
      return slices
    },
    close: () => {
      database.close()
      for (const child of children) child.disconnect()
    },
  }
}

/** Every slice starts from the same state, with an empty log. */
function reopenAll(database: DatabaseSync): void {
  database.exec(`
    UPDATE tasks SET status = 'open', assignee = NULL, lease_expires_at = NULL, result = NULL WHERE status <> 'open';
    PRAGMA wal_checkpoint(TRUNCATE)`)
}

async function answer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const gone = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a worker ended with ${code} in the middle of its work`)
  })
  const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), gone])) as [unknown]
  gone.catch(() => {})
  ended.abort()
  return message
}
