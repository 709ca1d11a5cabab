// The few files that identify a project. It runs nothing, and treats unreadable files as missing.
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

// A manifest has a few kB; no person writes a larger one.
const FILE_BYTES_MAX = 1024 * 1024

export interface ProjectFiles {
  /** null where there is no such readable file. */
  readonly text: (path: string) => Promise<string | null>
  readonly has: (path: string) => Promise<boolean>
  /** Names in a folder, sorted; none where it is not there. */
  readonly names: (path: string) => Promise<readonly string[]>
  /** Names of the folders in it, without links. */
  readonly folders: () => Promise<readonly string[]>
}

export function projectFiles(folder: string): ProjectFiles {
  return {
    text: (path) => textOf(join(folder, path)),
    has: async (path) => (await sizeOf(join(folder, path))) !== null,
    names: async (path) => (await readdir(join(folder, path)).catch(() => [])).toSorted(),
    folders: () => foldersIn(folder),
  }
}

async function textOf(path: string): Promise<string | null> {
  const size = await sizeOf(path)
  if (size === null || size > FILE_BYTES_MAX) return null
  const text = await readFile(path, 'utf8').catch(() => null)
  return text?.replace(/^\uFEFF/, '') ?? null
}

/** Null where it is no regular file: reading a pipe would block. */
async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true ? found.size : null
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).toSorted()
  const found = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => null)))
  return names.filter((_, index) => found[index]?.isDirectory() === true)
}
