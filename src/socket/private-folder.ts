// The folder of this process's sockets. Only its user can enter it, and its name lets a later engine see whether the
// owner still runs.
import { readlinkSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid, pid } from 'node:process'
import { isPidAlive } from '../system/pid.ts'
import { removeAtExit } from '../system/remove-at-exit.ts'

/** In bytes: macOS has room for 104 and Linux for 108, each with a NUL at the end. */
export const SOCKET_PATH_BYTES_MAX = 103

/** The longest name of a socket in the folder. */
export const SOCKET_NAME_LENGTH = 16

const LONGEST_NAME = `ralph-4294967295-4194304-XXXXXX/${'x'.repeat(SOCKET_NAME_LENGTH)}`

export interface PrivateFolder {
  readonly path: string
  /** A subfolder with a `ralph` that starts this very program. */
  readonly commands: string
}

export async function makePrivateFolder(ralph: readonly string[], root = socketRoot()): Promise<PrivateFolder> {
  const path = await mkdtemp(join(root, `ralph-${pidSpace()}-${pid}-`))
  removeAtExit(path)
  const commands = join(path, 'bin')
  await mkdir(commands)
  await writeFile(join(commands, 'ralph'), `#!/bin/sh\nexec ${ralph.map(quoted).join(' ')} "$@"\n`)
  await chmod(join(commands, 'ralph'), 0o700)
  return { path, commands }
}

/** The user's folder for temporary files, unless its path is too long for a socket. */
export function socketRoot(folder = tmpdir()): string {
  return Buffer.byteLength(join(folder, LONGEST_NAME)) <= SOCKET_PATH_BYTES_MAX ? folder : '/tmp'
}

/** Removes what killed engines have left. Never fails, since leftovers are harmless. */
export async function removeLeftovers(root = socketRoot()): Promise<void> {
  const names = await readdir(root).catch(() => [])
  for (const name of names) {
    const owner = /^ralph-(\d+)-(\d+)-\w{6}$/.exec(name)
    if (owner === null || owner[1] !== pidSpace() || isPidAlive(Number(owner[2]))) continue
    const path = join(root, name)
    const found = await lstat(path).catch(() => null)
    if (found?.isDirectory() !== true || found.uid !== getuid?.()) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Containers may share a folder but number their processes separately; 0 where nobody can tell. */
function pidSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
