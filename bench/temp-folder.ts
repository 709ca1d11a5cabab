import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs work in a new folder, which is removed when the work ends, fails or is interrupted. */
export async function inTempFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-bench-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const interrupted = (signal: NodeJS.Signals): never => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work(folder)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    remove()
  }
}
