import { reportBuild } from '../../operations/build-report.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openExistingDesk } from './desk.ts'
import { reportMarkdown } from './report-markdown.ts'
import { statusJson } from './standing.ts'

export const report: Command = {
  usage: 'report [BUILD]',
  about: 'The summary for the morning, in markdown: what was done, proved and spent, and what waits for you.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const found = await reportBuild(await openExistingDesk(call), call.words[0])
    const markdown = reportMarkdown(found)
    if (call.wantsJson) printJson({ ...statusJson(found), markdown })
    else print(markdown)
  },
}
