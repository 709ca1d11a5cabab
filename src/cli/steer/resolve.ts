// A human's own fix: taken over, verified and merged here and now, or by the loop that takes it first.
import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { findWaiting, type Fix, resolveTask } from '../../operations/builds/escalations.ts'
import { settleTask } from '../../operations/builds/settle-task.ts'
import { openEngineOf } from '../../operations/serve/served-repository.ts'
import { asWorker } from '../../operations/builds/workers.ts'
import { requireYes, YES } from '../ask.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { branchOf } from '../../core/builds/build.ts'
import { openExistingContext } from '../run/build-context.ts'
import { MESSAGE, message, taskArgument } from './escalate.ts'
import { closeIdea } from '../run/idea-closing.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { shownLines } from '../text/sanitize.ts'
import { runPlace } from '../run/prepare.ts'
import { note } from '../run/reporter.ts'

/** Refused by the gate: the fix is not verified. */
const NOT_VERIFIED_EXIT = 4

export const resolve: Command = {
  usage: 'resolve [TASK] -m TEXT [--from DIR|REF] [--unverified [--yes]]',
  who: 'operator',
  about: "Takes your fix from the task's folder, or from a folder or commit of yours; verifies it and merges it.",
  flags: [
    MESSAGE,
    { long: 'from', takes: 'value', value: 'DIR|REF', about: "where the fix is; default: the task's own folder" },
    { long: 'unverified', takes: 'nothing', about: 'take it on your word, after asking; ship will ask again' },
    YES,
  ],
  wordsMax: 1,
  run: async (call) => {
    const fix: Fix = {
      text: message(call),
      from: place(call),
      accepted: call.flags.has('unverified') ? 'unverified' : 'if-verified',
    }
    await requireYes(call.flags, 'unverified', 'Merge this on your word, without evidence?')
    const context = await openExistingContext(call)
    const waiting = await findWaiting(context, taskArgument(call))
    const engine = await openEngineOf(runPlace(context, call), waiting.build)
    const task = await resolveTask(context, engine.workspaces, fix, waiting)
    if (!call.wantsJson) printError(fix.accepted === 'unverified' ? 'Merging …\n' : 'Verifying …\n')
    const attempt = await interruptible((signal) =>
      asWorker(context, (id) =>
        settleTask({ ...context, store: engine.store }, engine, waiting.build, task, id, signal),
      ),
    )
    await tell(context, call, attempt)
    await engine.progress?.refresh()
    await engine.workspaces.mirror(waiting.build)
    const build = await context.store.builds.find(waiting.build)
    if (build !== null) await closeIdea(context, call, build)
  },
}

/** A word that is a folder here is one; else it is a commit or branch. */
function place(call: Call): Fix['from'] {
  const from = call.flags.get('from')
  if (from === undefined) return null
  const folder = resolvePath(call.folder, from)
  return existsSync(folder) || from.startsWith('.') || from.startsWith('/') ? { folder } : { ref: from }
}

async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  const stop = (): void => {
    note("Stopping: the fix is kept, and 'ralph build' goes on with it. Ctrl+C again kills.")
    over.abort(new Error('stopped'))
  }
  const quiet = onInterrupt({ stop, kill: () => process.exit(130) })
  try {
    return await work(over.signal)
  } finally {
    quiet()
  }
}

async function tell(context: BuildContext, call: Call, attempt: Attempt): Promise<void> {
  const { task, build, phase } = attempt
  const rest = { task, phase: phase.at }
  if (phase.at === 'settled' && phase.as.is === 'done') {
    const { commit, proof } = phase.as
    const isProved = proof.by === 'evidence'
    const { state } = (await context.store.builds.find(build)) ?? { state: 'running' }
    if (call.wantsJson) return printJson({ ...rest, resolved: true, commit, verified: isProved, state })
    const how = isProved ? 'verified and merged' : 'merged on your word, unverified,'
    print(`${task}: ${how} as ${commit.slice(0, 10)} into ${branchOf(build)}\n`)
    return printError(
      state === 'complete' ? "The build is complete; 'ralph ship' takes it over.\n" : "'ralph build' goes on.\n",
    )
  }
  if (phase.at !== 'waiting') {
    process.exitCode = 130
    if (call.wantsJson) return printJson({ ...rest, resolved: false })
    return print(`${task}: not merged yet (${phase.at}); 'ralph build' goes on with it\n`)
  }
  process.exitCode = NOT_VERIFIED_EXIT
  if (call.wantsJson) return printJson({ ...rest, resolved: false, reason: phase.reason })
  print(
    `${task}: not merged, your fix is not verified:\n${shownLines(phase.reason)
      .map((line) => `  ${line}\n`)
      .join('')}`,
  )
  printError(`It still waits for you: mend it and resolve it again, or take it as it is with --unverified.\n`)
}
