// Files that must be whole after a crash, and small questions about files and folders.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errnoOf } from '../../process/errno.ts'

/**
 * Written beside, then put in place: whoever reads or crashes at whatever moment, sees the old text or the new one. Only
 * the flush is waited for in a thread of its own: all else takes less time than to go there and back.
 */
export async function writeWhole(path: string, content: string | Uint8Array, how: WriteHow = {}): Promise<void> {
  const { beside = besides(path), mode = 0o644, flushed = false } = how
  try {
    const file = openIn(beside, mode)
    try {
      writeFileSync(file, content)
      if (flushed) await flush(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

const flush = promisify(fsync)

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

function openIn(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true })
    return openSync(path, 'wx', mode)
  }
}

/** Of short files. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error))) return null
    throw error
  }
}

/** A folder itself; not a link to one. */
export async function isFolder(path: string | Buffer): Promise<boolean> {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

export async function namesIn(path: string): Promise<string[]> {
  try {
    return readdirSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
