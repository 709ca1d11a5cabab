import { readdir } from 'node:fs/promises'

/** The names of a folder's entries; none where the folder is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
