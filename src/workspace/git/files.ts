// Files that must be whole after a crash, and small questions about files and folders.
import { randomBytes } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf } from '../../process/errno.ts'

/** Written beside, then put in place: whoever reads or crashes at whatever moment, sees the old text or the new one. */
export async function writeWhole(path: string, content: string | Uint8Array, how: WriteHow = {}): Promise<void> {
  const { beside = besides(path), mode = 0o644, flushed = false } = how
  try {
    const file = await openIn(beside, mode)
    try {
      await file.writeFile(content)
      if (flushed) await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

export interface WriteHow {
  /** Survives a power cut too: for what was accepted. */
  readonly flushed?: boolean
  readonly mode?: number
  readonly beside?: string
}

/** A name beside the path that nobody else uses, and that git takes for no ref, should a crash leave it there. */
export function besides(path: string, prefix = '.ralph-'): string {
  return join(dirname(path), prefix + randomBytes(8).toString('hex'))
}

async function openIn(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, 'wx', mode)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true })
    return open(path, 'wx', mode)
  }
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error))) return null
    throw error
  }
}

/** A folder itself; not a link to one. */
export async function isFolder(path: string | Buffer): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch {
    return false
  }
}

export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
