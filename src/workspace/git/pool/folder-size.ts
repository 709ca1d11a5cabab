// Bytes of a file or folder with everything in it; links are not followed.
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null)
  if (stats === null) return 0
  if (!stats.isDirectory()) return stats.size
  let bytes = 0
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name))
  return bytes
}
