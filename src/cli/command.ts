// A command of the command line: how it is called, and what it does.
import type { Who } from '../operations/operator-only.ts'
import type { Arguments, Flag } from './arguments.ts'
import type { Environment } from '../core/values/environment.ts'

export interface Call extends Arguments {
  readonly env: Environment
  readonly folder: string
  /** `--json`: one document instead of text for people. */
  readonly wantsJson: boolean
}

export interface Command {
  /** After `Usage: ralph `. */
  readonly usage: string
  /** By the flags, where some of them only look. */
  readonly who: Who | ((flags: Arguments['flags']) => Who)
  readonly about: string
  readonly flags: readonly Flag[]
  readonly wordsMax: number
  readonly run: (call: Call) => Promise<void>
}

/** A dry run changes nothing, so anyone may do it. */
export const unlessDry: Command['who'] = (flags) => (flags.has('dry-run') ? 'anyone' : 'operator')

/** Commands that share their first words. */
export interface Group {
  /** After `Usage: ralph `, where no command was named. */
  readonly usage: string
  readonly help: () => Promise<string>
  /** A function loads its command on demand; a session calls the others many times. */
  readonly commands: Readonly<Record<string, Command | Group | (() => Promise<Command | Group>)>>
}

/** The flags that every command takes. */
export const COMMON_FLAGS: readonly Flag[] = [
  { long: 'json', takes: 'nothing', about: 'a JSON document instead of text, also for an error' },
  { long: 'debug', takes: 'nothing', about: 'where an error came from' },
  { long: 'help', short: 'h', takes: 'nothing', about: 'this text' },
]
