import { renameSync, statSync } from 'node:fs'
import type { Iterate } from '../effects/iterate.ts'
import type { TaskRun } from '../deps.ts'

/**
 * What a session did before it had a task belongs to the task too, so this moves its transcript to those of the task. A
 * transcript that is there already belongs to a killed session; then both stay.
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
    // The transcript stays where it is.
    return path
  }
}
