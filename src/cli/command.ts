// What a command is to the command line: how it is called, and what it does.
import type { Arguments, Flag } from './arguments.ts'

export interface Call extends Arguments {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** `--json`: one document instead of text for people. */
  readonly wantsJson: boolean
}

export interface Command {
  /** After `Usage: ralph `. */
  readonly usage: string
  readonly about: string
  readonly flags: readonly Flag[]
  readonly wordsMax: number
  readonly run: (call: Call) => Promise<void>
}

/** The flags that every command takes. */
export const COMMON_FLAGS: readonly Flag[] = [
  { long: 'json', takes: 'nothing' },
  { long: 'debug', takes: 'nothing' },
  { long: 'help', short: 'h', takes: 'nothing' },
]
