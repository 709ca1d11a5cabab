import { styleText } from 'node:util'
import { openWorkspaces } from '../../compose.ts'
import type { Build } from '../../core/builds/build.ts'
import { taskId } from '../../core/values/id.ts'
import { isatty } from 'node:tty'
import { frozenOf } from '../../operations/builds/builds.ts'
import { diffTask } from '../../operations/read/task-diff.ts'
import type { Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'
import { shownText } from '../text/sanitize.ts'

export const diff: Command = {
  usage: 'diff [TASK]',
  who: 'anyone',
  about: 'Prints what a task changed: its merged commit, or what it has so far; the task that waits, if none is named.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const named = call.words[0] === undefined ? undefined : taskId(call.words[0])
    const open = async ({ id }: Build) => openWorkspaces(call.folder, call.env, [], await frozenOf(context, id))
    const found = await diffTask(context, open, named)
    if (call.wantsJson) return printJson(found)
    if (found.diff === '') printError(`Task ${found.task} has changed nothing so far.\n`)
    print(isatty(1) ? paintDiff(found.diff) : found.diff)
    if (!found.isWhole) printError('Note: the diff is longer than 64 MiB and was cut.\n')
    if (found.folder !== null) printError(`This is what the last iteration left; what is there now: ${found.folder}\n`)
  },
}

const colours = [
  ['diff ', 'bold'],
  ['+++', 'bold'],
  ['---', 'bold'],
  ['@@', 'blue'],
  ['+', 'green'],
  ['-', 'red'],
] as const

/** The text of a file must not control the terminal. */
function paintDiff(diff: string): string {
  const lines = diff.split('\n').map((line) => {
    const text = line.split('\t').map(shownText).join('\t')
    const colour = colours.find(([start]) => line.startsWith(start))?.[1]
    return colour === undefined ? text : styleText(colour, text)
  })
  return lines.join('\n')
}
