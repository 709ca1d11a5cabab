// A build looked at from another process, by its facts.
import type { Build } from '../../core/builds/build.ts'
import { DONE_REASONS, type DoneReason } from '../../core/builds/done-reason.ts'
import type { RecordedFact } from '../../core/fact/fact.ts'
import { reportBuild } from '../../operations/read/build-report.ts'
import { followFacts } from '../../operations/builds/build-facts.ts'
import { type BuildContext, findBuild } from '../../operations/builds/builds.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { closingJson, closingText } from '../text/closing.ts'
import { openExistingContext, unsettled } from '../run/build-context.ts'
import { tellPast } from '../run/following.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { openReporter } from '../run/reporter.ts'

export const watch: Command = {
  usage: 'watch [BUILD]',
  who: 'anyone',
  about: 'Shows a build live, from any terminal, until it ends, is paused or needs you; exits as that build would.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const build = await findBuild(context, call.words[0])
    const reason = (await reasonToEnd(context, build)) ?? (await watched(context, call, build))
    process.exitCode = DONE_REASONS[reason].exit
    if (reason === 'UserCancelled') return
    const report = await reportBuild(context, build.id)
    const { state, lastError } = report.build
    const ended = reason === 'HumanNeeded' && state === 'paused' ? { reason, detail: lastError ?? '' } : { reason }
    if (call.wantsJson) printJson(closingJson(ended, report))
    else print(closingText(ended, report))
  },
}

async function watched(context: BuildContext, call: Call, build: Build): Promise<DoneReason> {
  const over = new AbortController()
  const reporter = openReporter(call, { build, unsettled: () => unsettled(context) })
  const stop = (): void => over.abort()
  const quiet = onInterrupt({ stop, kill: stop })
  try {
    const seq = await tellPast(context, build, reporter)
    const { held, planning } = await reportBuild(context, build.id)
    if (held.size === 0 && planning?.isHeld !== true) reporter.note("Nobody works on it now; 'ralph build' goes on.")
    for await (const facts of followFacts(context, build.id, seq, over.signal)) {
      reporter.facts(facts)
      const reason = (await reasonToEnd(context, build)) ?? (await outOfMoney(context, build, facts))
      if (reason !== null) return reason
    }
    return 'UserCancelled'
  } finally {
    over.abort()
    reporter.end()
    quiet()
  }
}

/** Loops of other processes may have something left that was set aside for them. */
async function outOfMoney(
  context: BuildContext,
  { id }: Build,
  facts: readonly RecordedFact[],
): Promise<DoneReason | null> {
  if (!facts.some(({ fact }) => fact.type === 'budgetExhausted')) return null
  return (await reportBuild(context, id)).held.size === 0 ? 'BudgetExhausted' : null
}

/** Null: it goes on, or could. */
async function reasonToEnd(context: BuildContext, { id }: Build): Promise<DoneReason | null> {
  const { state, lastError } = await findBuild(context, id)
  // Nothing but its baseline pauses a build with a reason.
  if (state === 'paused' && lastError !== null) return 'HumanNeeded'
  const reasons = { complete: 'AllTasksComplete', aborted: 'Aborted', failed: 'Failed', paused: 'Paused' } as const
  if (state !== 'running') return reasons[state]
  // Asked first since it costs next to nothing: mostly nobody waits.
  const waiting = await context.store.tasks.list(context.scope, { statuses: ['waiting'] })
  if (waiting.length === 0) return null
  return (await reportBuild(context, id)).view.status === 'human_needed' ? 'HumanNeeded' : null
}
