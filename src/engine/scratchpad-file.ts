// The scratchpad in the folder of a session. The folder is the agent's: what is there is read and replaced with care.
import { constants, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../core/error.ts'
import { boundedScratchpad, SCRATCHPAD_BYTES_MAX, SCRATCHPAD_FILE } from '../core/scratchpad.ts'

/** Null where there is none, or no plain file. */
export async function takeScratchpad(folder: string): Promise<string | null> {
  try {
    const file = await open(
      join(folder, SCRATCHPAD_FILE),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      if (!(await file.stat()).isFile()) return null
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SCRATCHPAD_BYTES_MAX * 2) })
      return boundedScratchpad(buffer.subarray(0, bytesRead).toString('utf8'))
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** At once, so that two that come together cannot meet. A link in its place is replaced, not followed. */
export function writeScratchpad(folder: string, text: string): void {
  const path = join(folder, SCRATCHPAD_FILE)
  try {
    rmSync(path, { force: true })
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw refuse('FILE_UNWRITABLE', { path: SCRATCHPAD_FILE, reason }, error)
  }
}
