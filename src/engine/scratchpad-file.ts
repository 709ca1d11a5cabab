// The scratchpad that an agent without our tools writes itself, read with care: the folder is the agent's.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
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
