// Whether a check failed for want of disk space. Its own word is not enough, since any test can print it.
import { statfsSync } from 'node:fs'

const said = /\bENOSPC\b|no space left on device/i

/** So little is left where a program ran into the end, also after it has removed what it had half written. */
const LEFT_BYTES_MAX = 16 * 1024 * 1024
const LEFT_FILES_MAX = 16

/** It says so, and one of the folders that it writes to has none. */
export function ranOutOfSpace(output: string, folders: readonly string[]): boolean {
  return said.test(output) && folders.some(isFull)
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    return bavail * bsize < LEFT_BYTES_MAX || (files > 0 && ffree < LEFT_FILES_MAX)
  } catch {
    return false
  }
}
