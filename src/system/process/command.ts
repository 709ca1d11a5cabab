// A command and all its limits. The child inherits nothing: neither the folder nor the environment.
import { isAbsolute } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import { KEEP_DEFAULT, type Keep } from './head-tail-buffer.ts'

const MINUTE_MS = 60_000
const MIB = 1024 * 1024

/** Wall time of a command where the caller names none. */
export const DEADLINE_DEFAULT_MS = 20 * MINUTE_MS
/** From SIGTERM to SIGKILL. Agents need about 1.5 s to leave in order. */
export const GRACE_DEFAULT_MS = 5_000
/** For a child that has reported its result and still runs. */
export const LINGER_DEFAULT_MS = 5_000
/** Limit of unread input for a child with live stdin. */
export const UNREAD_MAX_BYTES = 8 * MIB
/** Of stdout and stderr together; a child that prints more is ended. */
export const OUTPUT_CAP_DEFAULT_BYTES = 1024 * MIB

/** Per stream and end. */
const KEEP_MAX_BYTES = 256 * MIB

export type StreamName = 'stdout' | 'stderr'

export interface Command {
  /** The program and its arguments; no shell ever sees them. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** The whole environment of the child; `RALPH_RUN` is added (see marker.ts). */
  readonly env: Readonly<Record<string, string>>
  /** The child's stdin; without it, stdin is /dev/null. */
  readonly input?: string | Uint8Array
  /** `live`: stdin stays open instead of `input`, for `Running.tell`. */
  readonly stdin?: 'live'
  readonly deadlineMs?: number
  /** Ends a child that prints nothing for so long; without it, silence is allowed. */
  readonly idleMs?: number
  readonly graceMs?: number
  readonly lingerMs?: number
  readonly outputCapBytes?: number
  /** How much of each stream's beginning and end is kept. */
  readonly keep?: Keep
  /**
   * The live output. The stream waits while the returned promise is pending. The bytes are reused once the call returns
   * or its promise settles, so copy what you keep. (A 1 GB flood then costs 13 MB of memory, not 88.)
   */
  readonly onOutput?: (chunk: Buffer, stream: StreamName) => void | Promise<void>
  readonly signal?: AbortSignal
  /**
   * `stranger` (default): an agent, or a user's own command, which may leave processes behind and may reopen
   * /dev/stderr. `tool`: a program that does neither, such as git; saves some 6 ms per run.
   */
  readonly trust?: 'stranger' | 'tool'
  /** `operator`: the operator's own command, which may do more than sessions and checks; see inside.ts. */
  readonly speaksFor?: 'operator'
}

/** A user's own command line, such as a check in ralph.toml: the only place that uses a shell. */
export function shell(line: string): readonly string[] {
  return ['/bin/sh', '-c', line]
}

/** Refuses mistakes of the caller; a refusal by the machine is an outcome (see not-started.ts). */
export function requireRunnable(command: Command): void {
  const problem = problemOf(command)
  if (problem !== null) throw refuse('COMMAND_BAD', { command: shownName(command.argv), problem })
}

function problemOf({ argv, cwd, env, ...limits }: Command): string | null {
  if (argv[0] === undefined || argv[0] === '') return 'it names no program'
  if (argv.some(holdsNul)) return 'an argument holds a NUL character; take it out'
  if (!isAbsolute(cwd) || holdsNul(cwd)) return 'its folder must be an absolute path without a NUL character'
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=') || holdsNul(name))
      return `the environment holds a bad name ${shownWord(name)}`
    if (holdsNul(value)) return `the environment variable ${name} holds a NUL character; take it out`
  }
  for (const name of ['deadlineMs', 'idleMs', 'graceMs', 'lingerMs', 'outputCapBytes'] as const) {
    const limit = limits[name]
    if (limit !== undefined && !(limit >= 0)) return `${name} must be a number that is not negative`
  }
  const { headBytes, tailBytes } = limits.keep ?? KEEP_DEFAULT
  if (![headBytes, tailBytes].every(isKeepable)) return `keep takes whole bytes from 0 to ${KEEP_MAX_BYTES}`
  return null
}

function isKeepable(bytes: number): boolean {
  return Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= KEEP_MAX_BYTES
}

function holdsNul(text: string): boolean {
  return text.includes('\0')
}

function shownName(argv: readonly string[]): string {
  return shownWord(argv[0] ?? '')
}

/** Quoted, with control characters escaped and cut to 200 characters: it goes into a one-line sentence. */
export function shownWord(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
