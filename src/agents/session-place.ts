// A private folder of one session, outside the workspace: the prompt, and a home where the user's must not be used. It
// may hold a login, so the next start removes what a killed engine left.
//
//   ralph-session-XXXXXX/owner.json   the process that made it, and the agent
//                        prompt.md
//                        home/
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid, pid } from 'node:process'
import { type Identity, identify, isAlive } from '../system/process-table/identity.ts'
import type { Login, SessionPlace } from './agent.ts'

const PREFIX = 'ralph-session-'
/** A folder without an owner is being made right now, or its maker died at once; no session lasts longer than a day. */
const UNOWNED_MAX_MS = 2 * 86_400_000

interface Owner {
  readonly agent: string
  /** Null where the system does not tell. */
  readonly engine: Identity | null
}

export interface OwnedPlace extends SessionPlace {
  readonly remove: () => Promise<void>
}

export interface PlaceOptions {
  readonly agent: string
  /** Null: the adapter does not read it. */
  readonly prompt: string | null
  readonly home: 'own' | 'user'
}

export async function makePlace({ agent, prompt, home: whose }: PlaceOptions): Promise<OwnedPlace> {
  // A folder with two files takes half a millisecond and more, before and after every session.
  if (prompt === null && whose === 'user') return NO_PLACE
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  const promptFile = join(folder, 'prompt.md')
  const home = whose === 'own' ? join(folder, 'home') : null
  const remove = (): Promise<void> => removeFolder(folder)
  try {
    const owner: Owner = { agent, engine: await identify(pid) }
    await writeFile(join(folder, 'owner.json'), JSON.stringify(owner), { mode: 0o600 })
    if (prompt !== null) await writeFile(promptFile, prompt, { mode: 0o600 })
    if (home !== null) await mkdir(home, { mode: 0o700 })
  } catch (error) {
    await remove()
    throw error
  }
  return { promptFile: prompt === null ? devNull : promptFile, home, remove }
}

const NO_PLACE: OwnedPlace = { promptFile: devNull, home: null, remove: async () => {} }

/** What dead engines left of this agent's sessions: a renewed login is taken back first. Never throws. */
export async function sweepPlaces(agent: string, login: Login | undefined): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  const folders = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name))
  for (const folder of folders) {
    if (!(await isLeftover(folder, agent).catch(() => false))) continue
    await login?.takeBackRenewed(join(folder, 'home')).catch(() => {})
    await removeFolder(folder)
  }
}

async function isLeftover(folder: string, agent: string): Promise<boolean> {
  const entry = await lstat(folder)
  if (!entry.isDirectory() || entry.uid !== getuid?.()) return false
  const text = await readFile(join(folder, 'owner.json'), 'utf8').catch(() => null)
  if (text === null) return Date.now() - entry.mtimeMs > UNOWNED_MAX_MS
  const owner = JSON.parse(text) as Owner
  return owner.agent === agent && owner.engine !== null && !(await isAlive(owner.engine))
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}
