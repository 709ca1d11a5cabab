// The only thing that forgets, and it asks.
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { openWorkspaces } from '../../compose.ts'
import { refuse } from '../../core/error/error.ts'
import { type CleanUpPlace, cleanUp } from '../../operations/clean-up.ts'
import { says } from '../ask.ts'
import { type Call, type Command, unlessDry } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { table } from '../table.ts'
import { hasState, openBuildContext, stateOf } from '../run/build-context.ts'
import { shownText } from '../text/sanitize.ts'

export const clean: Command = {
  usage: 'clean [--yes] [--dry-run]',
  who: unlessDry,
  about: 'Removes folders, pins and transcripts of builds that are over, after asking. Branches and the store stay.',
  flags: [
    { long: 'yes', short: 'y', takes: 'nothing', about: 'do not ask' },
    { long: 'dry-run', takes: 'nothing', about: 'only say what would be removed' },
  ],
  wordsMax: 0,
  run: async (call) => {
    const isDry = call.flags.has('dry-run')
    if (isDry && !call.wantsJson) printError('Dry run: nothing is removed.\n')
    const attic = hasState(call) ? await openAttic(call) : null
    const found = attic === null ? [] : await cleanUp(attic, 'dry')
    if (!call.wantsJson) show(found)
    if (!isDry && attic !== null && found.length > 0) {
      if (!(await mayRemove(call))) return printError('Nothing was removed.\n')
      await cleanUp(attic, 'remove')
    }
    if (call.wantsJson) printJson({ removed: isDry ? [] : found, wouldRemove: isDry ? found : [] })
    else if (!isDry && found.length > 0) print(`removed ${size(total(found))}\n`)
  },
}

async function openAttic(call: Call): Promise<CleanUpPlace> {
  const context = await openBuildContext(call)
  const workspaces = await openWorkspaces(call.folder, call.env)
  return { context, workspaces, transcripts: join(stateOf(call), 'transcripts') }
}

type Removals = Awaited<ReturnType<typeof cleanUp>>

function show(found: Removals): void {
  if (found.length === 0) return printError('Nothing to remove.\n')
  print(
    table(
      ['SIZE', 'WHAT'],
      found.map(({ what, bytes }) => [bytes === 0 ? '' : size(bytes), shownText(what)]),
    ),
  )
}

function total(found: Removals): number {
  return found.reduce((sum, { bytes }) => sum + bytes, 0)
}

function size(bytes: number): string {
  const mib = bytes / 1024 / 1024
  return mib >= 1 ? `${mib.toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
}

async function mayRemove(call: Call): Promise<boolean> {
  if (call.flags.has('yes')) return true
  if (!isatty(0)) throw refuse('USAGE', { message: 'nobody is there to be asked: add --yes to remove this' })
  return says('Remove all this for good?', 'no')
}
