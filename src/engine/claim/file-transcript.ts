import { renameSync, statSync } from 'node:fs'
import type { Iterate } from '../perform/iterate.ts'
import type { TaskRun } from '../deps.ts'

/**
 * What a session did before it had a task belongs to the task too: its transcript goes where those of the task are. One
 * that is there already is of a session that was killed, and both are kept.
 */
export async function fileTranscript({ engine, build, task }: TaskRun, effect: Iterate, path: string): Promise<string> {
  const { path: home, close } = engine.transcripts.open(
    `${build}/${task.id}/${effect.attempt}-${effect.iteration}-implementer`,
  )
  await close()
  try {
    if (statSync(home).size > 0) return path
    renameSync(path, home)
    return home
  } catch {
    // It stays where it was written.
    return path
  }
}
