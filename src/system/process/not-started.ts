// Why a command never ran, in one sentence that says what to do.
import { statSync } from 'node:fs'
import { shownWord, type Command } from './command.ts'
import { errnoOf } from '../errno.ts'

export interface NotStarted {
  /** The system's own name of the reason: ENOENT, EACCES, E2BIG, EAGAIN … */
  readonly errno: string
  readonly sentence: string
}

export function notStarted(command: Command, error: unknown): NotStarted {
  const errno = errnoOf(error)
  return { errno, sentence: folderProblem(command.cwd) ?? sentenceFor(errno, command) }
}

/** A missing folder and a missing program give the same ENOENT; only looking tells them apart. */
function folderProblem(cwd: string): string | null {
  try {
    return statSync(cwd).isDirectory() ? null : `${shownWord(cwd)} is not a folder; name the folder to run in`
  } catch (error) {
    return `the folder ${shownWord(cwd)} cannot be entered (${errnoOf(error)}); make it, or name another`
  }
}

function sentenceFor(errno: string, { argv, cwd, env }: Command): string {
  const program = argv[0] ?? ''
  const name = shownWord(program)
  switch (errno) {
    case 'ENOENT':
      return program.includes('/')
        ? `${name} does not exist, or the interpreter in its first line does not; correct the path`
        : `${name} was not found on PATH; install it, or name its full path`
    case 'EACCES':
      return `${name} may not be run in ${shownWord(cwd)}; make the file executable and its folders readable`
    case 'E2BIG':
      return `the arguments of ${name} and its environment take ${argumentBytes(argv, env).toLocaleString('en-US')} bytes, more than the system takes; hand long text over stdin or in a file`
    case 'EAGAIN':
    case 'ENOMEM':
      return `the system has no room for another process to run ${name}; end some and try again`
    case 'EMFILE':
    case 'ENFILE':
      return `no file descriptor is free to run ${name}; raise the limit (ulimit -n) or run fewer at once`
    default:
      return `${name} could not be started (${errno}); run it by hand to see why`
  }
}

function argumentBytes(argv: readonly string[], env: Readonly<Record<string, string>>): number {
  const strings = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  return strings.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
}
