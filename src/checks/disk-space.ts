// Tells whether a check failed for lack of disk space. Its output alone is not enough, since any test can print that.
import { statfsSync } from 'node:fs'

const said = /\bENOSPC\b|no space left on device/i

/** Free bytes below which a program ran into the end, also after it removed its half-written files. */
const LEFT_BYTES_MAX = 16 * 1024 * 1024
const LEFT_FILES_MAX = 16

/** The output says so, and one of the folders that it writes to is full. */
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
