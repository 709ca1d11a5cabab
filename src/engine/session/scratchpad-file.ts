// The scratchpad in the folder of a session. The folder belongs to the agent, so this reads and replaces its files with
// care.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import type { AgentId } from '../../core/values/id.ts'
import {
  boundedScratchpad,
  SCRATCHPAD_BYTES_MAX,
  SCRATCHPAD_FILE,
  SCRATCHPADS_FOLDER,
} from '../../core/session/scratchpad.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Where a loop's agent leaves it, relative to its folder. */
export function scratchpadFile({ isShared }: Pick<Workspace, 'isShared'>, loop: AgentId): string {
  return isShared === true ? `${SCRATCHPADS_FOLDER}/${loop}.md` : SCRATCHPAD_FILE
}

/** Null where there is none, or no plain file. An agent that does not know the loop's own file writes the usual one. */
export async function takeScratchpad(folder: string, file: string): Promise<string | null> {
  const own = readPlain(join(folder, file))
  return own ?? (file === SCRATCHPAD_FILE ? null : readPlain(join(folder, SCRATCHPAD_FILE)))
}

/** Synchronous: mostly there is no file, and Node's thread pool takes ten times as long to find that out. */
function readPlain(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!fstatSync(file).isFile()) return null
      const buffer = Buffer.alloc(SCRATCHPAD_BYTES_MAX * 2)
      return boundedScratchpad(buffer.subarray(0, readSync(file, buffer)).toString('utf8'))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Synchronous, so that two calls cannot interleave. Follows no link in its place or on the way. */
export function writeScratchpad(folder: string, text: string, file: string = SCRATCHPAD_FILE): void {
  const path = join(folder, file)
  try {
    mkdirSync(dirname(path), { recursive: true })
    if (realpathSync(dirname(path)) !== join(realpathSync(folder), dirname(file)))
      throw new Error('a link is in the way')
    rmSync(path, { force: true })
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw refuse('FILE_UNWRITABLE', { path: file, reason }, error)
  }
}
