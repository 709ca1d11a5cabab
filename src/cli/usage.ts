// What `--help` says of one command. Imports nothing that the others need: the build would move that into a file of its
// own, and every command would have to load it.
import type { Flag } from './arguments.ts'
import type { Command } from './command.ts'

export function commandHelp({ usage, about }: Command, flags: readonly Flag[]): string {
  const lines = flags.map((flag) => ({ name: flagName(flag), about: flag.about ?? '' }))
  const width = Math.max(...lines.map(({ name }) => name.length))
  const table = lines.map((line) => `  ${line.name.padEnd(width)}   ${line.about}`.trimEnd())
  return `Usage: ralph ${usage}\n\n${about}\n\n${table.join('\n')}\n`
}

function flagName({ long, short, takes, value }: Flag): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${long}${takes === 'nothing' ? '' : ` ${value ?? 'VALUE'}`}`
}
