// `{files}` in a validator's command. The names never become part of the command line: the shell gets them as arguments
// and `{files}` as "$@", so a name may contain anything. It cannot look like an option, since each starts with ./
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { shell } from '../system/process/command.ts'

const PLACEHOLDER = '{files}'

export function takesFiles(command: string): boolean {
  return command.includes(PLACEHOLDER)
}

export type FilesCommand = { readonly argv: readonly string[] } | { readonly problem: string }

export function withFiles(command: string, files: readonly string[]): FilesCommand {
  const line = asArguments(command)
  if (line === null)
    return { problem: 'write {files} outside of quotes, as a word of its own: the names are quoted already' }
  return { argv: [...shell(line), 'sh', ...files] }
}

/** Null where it stands inside quotes: there "$@" would break apart, and a name could become a command. */
function asArguments(command: string): string | null {
  let line = ''
  let quote = ''
  for (let at = 0; at < command.length;) {
    const rest = command.slice(at)
    const whole = quote === '' ? /^(["']?)\{files\}\1/.exec(rest)?.[0] : undefined
    if (whole === undefined && rest.startsWith(PLACEHOLDER)) return null
    const character = command[at] ?? ''
    const taken = whole ?? (character === '\\' && quote !== "'" ? command.slice(at, at + 2) : character)
    line += whole === undefined ? taken : '"$@"'
    at += taken.length
    if (whole !== undefined || taken.length > 1) continue
    if (quote === '' && /["'`]/.test(character)) quote = character
    else if (character === quote) quote = ''
  }
  return line
}

/** Changed files that still exist, relative to the validator's folder. */
export function filesToValidate(checkout: string, cwd: string, files: readonly string[]): readonly string[] {
  return [...new Set(files)]
    .filter((path) => isFile(join(checkout, path)))
    .sort()
    .map((path) => relative(join(checkout, cwd), join(checkout, path)))
    .map((path) => (path.startsWith(`..${sep}`) ? path : `./${path}`))
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}
