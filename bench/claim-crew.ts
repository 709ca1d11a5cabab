// Processes that claim and finish tasks side by side in one database, for a slice of time whenever they are told to.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Place } from '../src/config/paths/place.ts'
import { bundleProgram } from './bundle-program.ts'
import type { Slice } from './claim-slices.ts'

export interface Crew {
  readonly name: string
  /** Lets the first `processes` of the crew work on a plan that is all open again. */
  readonly work: (processes: number, milliseconds: number) => Promise<Slice[]>
  readonly close: () => Promise<void>
}

export interface CrewSettings {
  readonly name: string
  /** The file in this folder that a process of the crew runs, without its ending. */
  readonly worker: string
  readonly size: number
}

export async function startCrew(folder: string, plan: Place, { name, worker, size }: CrewSettings): Promise<Crew> {
  const path = join(folder, `${worker}.db`)
  copyDatabase(plan.storePath, path)
  const program = await bundleProgram(folder, worker)
  const children = Array.from({ length: size }, () => fork(program, [path, plan.scope.repo, plan.scope.branch]))
  const database = new DatabaseSync(path, { timeout: 30_000 })
  const crew: Crew = {
    name,
    work: async (processes, milliseconds) => {
      reopenAll(database)
      const slices = children.slice(0, processes).map((child) => {
        child.send(milliseconds)
        return answer(child) as Promise<Slice>
      })
      return checked(await Promise.all(slices), database)
    },
    close: async () => {
      database.close()
      await Promise.all(children.map(end))
    },
  }
  try {
    await Promise.all(children.map(answer))
  } catch (error) {
    await crew.close()
    throw error
  }
  return crew
}

/** With what is still in its log. */
function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from)
  database.prepare('VACUUM INTO ?').run(to)
  database.close()
}

/** Every slice starts from the same state, and with the log at its start but as long as it was: it is not grown anew. */
function reopenAll(database: DatabaseSync): void {
  database.exec(`
    UPDATE tasks SET status = 'open', assignee = NULL, lease_expires_at = NULL, result = NULL WHERE status <> 'open';
    PRAGMA wal_checkpoint(RESTART)`)
}

/** What the processes say they did must be there, each task once. */
function checked(slices: Slice[], database: DatabaseSync): Slice[] {
  const said = slices.reduce((sum, { claimMs }) => sum + claimMs.length, 0)
  const done = database.prepare("SELECT count(*) AS done FROM tasks WHERE status = 'done'").get()?.['done']
  if (done !== said) throw new Error(`the workers finished ${said} tasks, and the database holds ${done}`)
  return slices
}

/** The next message. */
async function answer(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  try {
    const gone = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`a worker ended with ${code} in the middle of its work`)
    })
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as unknown[]
    return message
  } finally {
    answered.abort()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
