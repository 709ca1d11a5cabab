// `ralph step`: a build driven by hand, one step at a time.
import type { Build } from '../../core/builds/build.ts'
import { DONE_REASONS } from '../../core/builds/done-reason.ts'
import { type BuildReport, reportBuild } from '../../operations/read/build-report.ts'
import { type BuildContext, findBuild } from '../../operations/builds/builds.ts'
import { openRun, type Run } from '../../operations/open-run.ts'
import { sendMessage } from '../../operations/builds/send-message.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { closingSentence, type Ended } from '../text/closing.ts'
import { openExistingContext } from '../run/build-context.ts'
import { MESSAGE } from './escalate.ts'
import { following } from '../run/following.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { firstLine } from '../text/sanitize.ts'
import { runPlace } from '../run/prepare.ts'
import { questionText } from '../text/question.ts'
import { statusJson } from '../text/status-view.ts'
import { plainReporter, note, type Reporter } from '../run/reporter.ts'

export const step: Command = {
  usage: 'step [BUILD] [-m TEXT]',
  who: 'operator',
  about:
    'Performs one step of a build, until its phase changes, and says where it stands then. TEXT goes into the next prompt.',
  flags: [MESSAGE],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const build = await findBuild(context, call.words[0])
    const isDriveable = build.state === 'running' || build.state === 'paused'
    const ended = isDriveable ? await stepped(context, call, build) : null
    const report = await reportBuild(context, build.id)
    if (ended !== null) process.exitCode = DONE_REASONS[ended.reason].exit
    if (call.wantsJson) printJson({ ...statusJson(report), ...(ended === null ? {} : { ended: ended.reason }) })
    else print(standingText(report, ended))
  },
}

async function stepped(context: BuildContext, call: Call, build: Build): Promise<Ended | null> {
  const run = await openRun(runPlace(context, call), build.id, { paused: 'kept' })
  try {
    const word = call.flags.get('message')
    if (word !== undefined) await sendMessage(context, build.id, word)
    return await stepOnce(call, run)
  } finally {
    await run.close()
  }
}

async function stepOnce(call: Call, { context, build, step: perform }: Run): Promise<Ended | null> {
  const over = new AbortController()
  const quiet = onInterrupt({
    stop: () => {
      note('Stopping: the agent is asked to stop, and all is saved. Ctrl+C again kills it.')
      over.abort(new Error('stopped'))
    },
    kill: () => process.exit(DONE_REASONS.UserCancelled.exit),
  })
  const follow = await following(context, build, call.wantsJson ? silentReporter : plainReporter, 'from-now')
  try {
    return await perform(over.signal)
  } finally {
    await follow.end()
    quiet()
  }
}

const silentReporter: Reporter = { ...plainReporter, facts: () => {} }

function standingText(report: BuildReport, ended: Ended | null): string {
  const { build, view, tasks, waiting } = report
  const current = tasks.find(({ id }) => id === view.currentTaskId)
  const at =
    current === undefined
      ? ''
      : `, task ${current.id} (${view.currentTaskIndex + 1}/${tasks.length}): ${firstLine(current.title)}`
  const questions = ended?.reason === 'HumanNeeded' ? waiting.map((one) => `\n${questionText(one)}`) : []
  return [
    `Build ${build.id}: ${view.phase}${at}\n`,
    ...(ended === null ? [] : [`${closingSentence(ended, report.removed)}\n`]),
    ...questions,
  ].join('')
}
