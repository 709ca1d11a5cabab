import { reportBuild } from '../../operations/read/build-report.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'
import { statusJson, statusText } from '../text/status-view.ts'

export const status: Command = {
  usage: 'status [BUILD]',
  who: 'anyone',
  about: 'Tells how the build stands: its tasks, what was merged on which evidence, and what waits for you.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const report = await reportBuild(await openExistingContext(call), call.words[0])
    if (call.wantsJson) printJson(statusJson(report))
    else print(statusText(report))
  },
}
