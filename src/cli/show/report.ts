import { checkoutChanges, replacements } from '../../operations/builds/build-facts.ts'
import { reportBuild, waitedFor } from '../../operations/read/build-report.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'
import { reportMarkdown } from '../text/report-markdown.ts'
import { evidenceJson, statusJson } from '../text/status-view.ts'

export const report: Command = {
  usage: 'report [BUILD]',
  who: 'anyone',
  about: 'The summary for the morning, in markdown: what was done, proved and spent, and what waits for you.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const found = await reportBuild(context, call.words[0])
    const waited = await waitedFor(context, found)
    const checkout = await checkoutChanges(context, found.build.id)
    const replaced = await replacements(context, found.build.id)
    const markdown = reportMarkdown(found, { waited, checkout, replaced }, 'operator')
    if (call.wantsJson)
      printJson({
        ...statusJson(found),
        evidence: evidenceJson(found),
        sessions: found.sessions,
        waited,
        tookOver: replaced,
        checkoutChanged: checkout,
        markdown,
      })
    else print(markdown)
  },
}
