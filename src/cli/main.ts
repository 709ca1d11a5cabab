// The entry point: finds the command, loads only that, and turns an exception into one sentence and an exit code.
import { requireOperator } from '../compose.ts'
import { RalphError, refuse } from '../core/error/error.ts'
import { readArguments } from './arguments.ts'
import { type Command, COMMON_FLAGS, type Group } from './command.ts'
import { print, printError, printJson } from './output.ts'
import { task } from './task/commands.ts'

const ralph: Group = {
  usage: 'COMMAND …   (ralph --help lists them)',
  help: async () => (await import('./help.ts')).helpText,
  commands: {
    init: async () => (await import('./init.ts')).init,
    doctor: async () => (await import('./doctor.ts')).doctor,
    demo: async () => (await import('./demo.ts')).demo,
    task,
    idea: async () => (await import('./idea/commands.ts')).idea,
    plan: async () => (await import('./plan/plan.ts')).plan,
    build: async () => (await import('./run/build.ts')).build,
    step: async () => (await import('./steer/step.ts')).step,
    status: async () => (await import('./show/status.ts')).status,
    watch: async () => (await import('./show/watch.ts')).watch,
    log: async () => (await import('./show/log.ts')).log,
    diff: async () => (await import('./show/diff.ts')).diff,
    report: async () => (await import('./show/report.ts')).report,
    pause: async () => (await import('./steer/steer.ts')).pause,
    resume: async () => (await import('./steer/steer.ts')).resume,
    abort: async () => (await import('./steer/steer.ts')).abort,
    open: async () => (await import('./steer/escalate.ts')).open,
    resolve: async () => (await import('./steer/resolve.ts')).resolve,
    answer: async () => (await import('./steer/escalate.ts')).answer,
    retry: async () => (await import('./steer/escalate.ts')).retry,
    skip: async () => (await import('./steer/escalate.ts')).skip,
    revert: async () => (await import('./steer/revert.ts')).revert,
    ship: async () => (await import('./steer/ship.ts')).ship,
    verify: async () => (await import('./show/verify.ts')).verify,
    recover: async () => (await import('./show/recover.ts')).recover,
    mcp: async () => (await import('./mcp.ts')).mcp,
    serve: async () => (await import('./serve.ts')).serve,
    clean: async () => (await import('./steer/clean.ts')).clean,
  },
}

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  let at: Command | Group = ralph
  let wants = guessWants(argv)
  try {
    const ahead = [...argv]
    const early: string[] = []
    while ('commands' in at) {
      early.push(...commonFlagsOff(ahead))
      const name = ahead.shift()
      if (asksForHelp(name, ahead, at)) return say('help', await at.help(), wants)
      if (at === ralph && (name === '--version' || name === '-V')) return say('version', await version(), wants)
      if (name !== 'help') at = await findCommand(at, name)
    }
    const known = [...at.flags, ...COMMON_FLAGS]
    const { words, flags } = readArguments([...early, ...ahead], known, at.wordsMax)
    wants = { json: flags.has('json'), debug: flags.has('debug') }
    if (flags.has('help')) return say('help', (await import('./usage.ts')).commandHelp(at, known), wants)
    if ((typeof at.who === 'function' ? at.who(flags) : at.who) === 'operator') await requireOperatorHere(at)
    await at.run({ words, flags, env: process.env, folder: currentFolder(), wantsJson: wants.json })
    // A command such as `doctor` may finish and still report problems.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return reportFailure(error, at.usage, wants)
  }
}

async function requireOperatorHere({ usage }: Command): Promise<void> {
  // Of the task commands, only `show --sealed` looks without changing the plan.
  const isTask = isTaskCommand(usage) && !usage.startsWith('task show ')
  const words = /^(task agent|task|idea)? ?\S+/.exec(usage)?.[0] ?? usage
  await requireOperator(currentFolder(), process.env, `ralph ${words}`, isTask ? 'NOT_FOR_SESSIONS' : 'OPERATOR_ONLY')
}

/** Scripts rely on the exact sentences of the task commands (docs/guide/tasks.md). */
function isTaskCommand(usage: string): boolean {
  return usage.startsWith('task ')
}

/** The form of the answer. */
interface Wants {
  readonly json: boolean
  readonly debug: boolean
}

/** For errors that occur before the flags are read. */
function guessWants(argv: readonly string[]): Wants {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  return { json: flags.includes('--json'), debug: flags.includes('--debug') }
}

/** `ralph --json task list` means `ralph task list --json`. */
function commonFlagsOff(ahead: string[]): string[] {
  const end = ahead.findIndex((word) => word !== '--json' && word !== '--debug')
  return ahead.splice(0, end === -1 ? ahead.length : end)
}

/** `help` or `ralph` alone asks for help; `help task create` means `task create --help`. */
function asksForHelp(name: string | undefined, ahead: string[], at: Group): boolean {
  if (name === 'help' && ahead.length > 0) ahead.push('--help')
  else if (name === 'help' || name === '--help' || name === '-h' || (name === undefined && at === ralph)) return true
  return false
}

async function findCommand(group: Group, name: string | undefined): Promise<Command | Group> {
  if (name === undefined) throw refuse('USAGE', { message: 'missing command' })
  if (name.startsWith('-')) throw refuse('FLAG_UNKNOWN', { flag: name })
  const found = Object.hasOwn(group.commands, name) ? group.commands[name] : undefined
  if (found !== undefined) return typeof found === 'function' ? found() : found
  const { nearest } = await import('../config/settings/nearest.ts')
  const meant = nearest(name, Object.keys(group.commands))
  throw refuse('COMMAND_UNKNOWN', { command: meant === null ? name : `${name}; did you mean '${meant}'?` })
}

function say(name: 'help' | 'version', text: string, { json }: Wants): number {
  if (json) printJson({ [name]: text.trimEnd() })
  else print(text)
  return 0
}

async function version(): Promise<string> {
  return `${(await import('./version.ts')).VERSION}\n`
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw refuse('FILE_UNREADABLE', { path: 'the current folder', reason: 'it is gone; go to one that exists' }, error)
  }
}

function reportFailure(thrown: unknown, usage: string, wants: Wants): number {
  const error = thrown instanceof RalphError ? thrown : internalError(thrown)
  // Task commands show the code only with --json.
  const code = isTaskCommand(usage) ? '' : ` [${error.publicCode}]`
  printError(`Error: ${error.message}${code}\n${error.showsUsage ? `Usage: ralph ${usage}\n` : ''}`)
  if (wants.debug) printError(`${stackOf(thrown)}\n`)
  if (wants.json) printFailure(error)
  return error.exit
}

function printFailure({ publicCode: code, message }: RalphError): void {
  try {
    printJson({ error: { code, message } })
  } catch {
    // Stdout itself failed, and stderr has the message.
  }
}

function internalError(thrown: unknown): RalphError {
  return refuse('INTERNAL', { reason: thrown instanceof Error ? thrown.message : String(thrown) }, thrown)
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
