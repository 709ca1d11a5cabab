// Finds the program of a command as the system would, without running it; and formats a command for people.
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/**
 * `./tools/agent` means the operator's file, never one of that name in the agent's folder, where an agent could have
 * made it.
 */
export function fromRoot(program: string, root: string): string {
  return program.includes('/') ? resolve(root, program) : program
}

export async function isFound(program: string, path: string): Promise<boolean> {
  if (program.includes('/')) return isExecutable(program)
  for (const folder of path.split(delimiter).filter(isAbsolute))
    if (await isExecutable(join(folder, program))) return true
  return false
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** As one would type it, for people to read. */
export function asTyped(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
