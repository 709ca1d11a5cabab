// The way in: finds the command, loads only that, and turns what it throws into one sentence and an exit code.
import { RalphError, refuse } from '../core/error.ts'
import { readArguments } from './arguments.ts'
import { type Command, COMMON_FLAGS } from './command.ts'
import { print, printError, printJson } from './output.ts'
import { taskCommand } from './task/commands.ts'

/** Takes the words that name the command off `words`. */
type Finder = (words: string[]) => Command | Promise<Command>

const commands: Readonly<Record<string, Finder>> = {
  task: taskCommand,
}

const argv = process.argv.slice(2)
process.exitCode = await main(argv)

async function main(words: string[]): Promise<number> {
  let command: Command | null = null
  try {
    const [name = '--help', ...rest] = words
    if (name === '--help' || name === '-h' || name === 'help') return await help()
    if (name === '--version' || name === '-V') return await version()
    const find = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (find === undefined) throw refuse('COMMAND_UNKNOWN', { command: name })
    command = await find(rest)
    const { words: given, flags } = readArguments(rest, [...command.flags, ...COMMON_FLAGS], command.wordsMax)
    if (flags.has('help')) {
      print(`Usage: ralph ${command.usage}\n\n${command.about}\n`)
      return 0
    }
    await command.run({
      words: given,
      flags,
      env: process.env,
      folder: process.cwd(),
      wantsJson: flags.has('json'),
    })
    return 0
  } catch (error) {
    return reportFailure(error, command, words)
  }
}

function reportFailure(thrown: unknown, command: Command | null, words: readonly string[]): number {
  const error = thrown instanceof RalphError ? thrown : broken(thrown)
  if (words.includes('--json')) printJson({ error: { code: error.publicCode, message: error.message } })
  // The task commands' sentences are relied on to the letter (docs/guide/tasks.md): their code is only in --json.
  const code = words[0] === 'task' ? '' : ` [${error.publicCode}]`
  printError(`Error: ${error.message}${code}\n`)
  if (error.showsUsage) printError(`Usage: ralph ${command?.usage ?? 'COMMAND …   (ralph --help lists them)'}\n`)
  if (words.includes('--debug')) printError(`${stackOf(thrown)}\n`)
  return error.exit
}

function broken(thrown: unknown): RalphError {
  return refuse('INTERNAL', { reason: thrown instanceof Error ? thrown.message : String(thrown) }, thrown)
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

async function help(): Promise<number> {
  const { helpText } = await import('./help.ts')
  print(helpText)
  return 0
}

async function version(): Promise<number> {
  const { VERSION } = await import('./version.ts')
  print(`${VERSION}\n`)
  return 0
}
