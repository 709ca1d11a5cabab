// A private folder for the time of one session, outside the workspace: the prompt, and a home where the user's is not
// to be used.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionPlace } from './agent.ts'

export interface MadePlace extends SessionPlace {
  /** Empty when the session begins; null: the user's own is used. */
  readonly home: string | null
  readonly remove: () => Promise<void>
}

export async function makePlace(prompt: string, credentials: 'user' | 'none'): Promise<MadePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-session-'))
  const promptFile = join(folder, 'prompt.md')
  const home = credentials === 'none' ? join(folder, 'home') : null
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  try {
    await writeFile(promptFile, prompt, { mode: 0o600 })
    if (home !== null) await mkdir(home, { mode: 0o700 })
  } catch (error) {
    await remove()
    throw error
  }
  return { promptFile, home, remove }
}
