// `ralph revert`: the last merged patch is taken back, and its task is open again.
import { findMergedTask, revertTask } from '../../operations/builds/revert.ts'
import { openEngineOf } from '../../operations/serve/served-repository.ts'
import type { Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { branchOf } from '../../core/builds/build.ts'
import { openExistingContext } from '../run/build-context.ts'
import { taskArgument } from './escalate.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { runPlace } from '../run/prepare.ts'

export const revert: Command = {
  usage: 'revert [TASK]',
  who: 'operator',
  about:
    'Takes the patch of a task back with a commit of its own, verified like any other, and opens the task again;\n' +
    'the patch that was merged last, if none is named. Where the branch would not be green, nothing changes.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const found = await findMergedTask(context, taskArgument(call))
    const engine = await openEngineOf(runPlace(context, call), found.build)
    const stop = new AbortController()
    const quiet = onInterrupt({ stop: () => stop.abort(new Error('stopped')), kill: () => process.exit(130) })
    if (!call.wantsJson) printError('Verifying …\n')
    const reverted = await revertTask(context, engine, found, stop.signal).finally(quiet)
    await engine.progress?.refresh()
    if (call.wantsJson) return printJson(reverted)
    const { task, reverted: was, commit } = reverted
    print(`${task}: ${was.slice(0, 10)} was taken back by ${commit.slice(0, 10)} on ${branchOf(found.build)}\n`)
    printError("The task is open again; 'ralph build' goes on with it.\n")
  },
}
