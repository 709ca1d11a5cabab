// Pinned work: everything an agent or a person made in a build, also what was never merged.
import { resolve } from 'node:path'
import { openWorkspaces } from '../../compose.ts'
import { refuse } from '../../core/error/error.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { table } from '../table.ts'
import { hasState } from '../run/build-context.ts'
import { shownText } from '../text/sanitize.ts'

export const recover: Command = {
  usage: 'recover [--restore REF [--to DIR]]',
  who: (flags) => (flags.has('restore') ? 'operator' : 'anyone'),
  about: 'Lists the work that is pinned, newest first; or writes one piece of it into a new folder.',
  flags: [
    { long: 'restore', takes: 'value', value: 'REF', about: 'as listed, with or without refs/ralph/attempts/' },
    { long: 'to', takes: 'value', value: 'DIR', about: 'a new folder; default: recovered-… here' },
  ],
  wordsMax: 0,
  run: async (call) => {
    const ref = call.flags.get('restore')
    if (ref === undefined && call.flags.has('to')) throw refuse('USAGE', { message: '--to needs --restore REF' })
    return ref === undefined ? list(call) : restore(call, ref)
  },
}

const PREFIX = 'refs/ralph/attempts/'

async function list(call: Call): Promise<void> {
  const pins = hasState(call) ? await (await openWorkspaces(call.folder, call.env)).pins() : []
  if (call.wantsJson) return printJson(pins)
  if (pins.length === 0) return printError('Nothing is pinned.\n')
  const rows = pins.map(({ ref, task, attempt, iteration, at }) => [
    formatInstant(at),
    shownText(task),
    `${attempt}.${iteration}`,
    ref.replace(PREFIX, ''),
  ])
  print(table(['PINNED (UTC)', 'TASK', 'TRY', 'REF'], rows))
  printError("'ralph recover --restore REF --to DIR' brings one back.\n")
}

async function restore(call: Call, ref: string): Promise<void> {
  const name = ref.replace(PREFIX, '').split('/').slice(1).join('-')
  const folder = resolve(call.folder, call.flags.get('to') ?? `recovered-${name || 'work'}`)
  if (!hasState(call)) throw refuse('PIN_NOT_FOUND', { ref })
  const workspaces = await openWorkspaces(call.folder, call.env)
  await workspaces.restore(ref, folder)
  if (call.wantsJson) printJson({ ref, folder })
  else print(`${folder}\n`)
}
