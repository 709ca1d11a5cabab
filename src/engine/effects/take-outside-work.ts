// An agent outside the build claimed one of its tasks and reported it done. The engine judges its commit like any work.
// A commit that is missing or red opens the task again with the reason (core/attempt/settlement.ts).
import type { Effect } from '../../core/attempt/attempt.ts'
import { RalphError } from '../../core/error/error.ts'
import { signalOf } from '../../core/session/signal.ts'
import type { ReportedDone } from '../../core/task/task.ts'
import type { Harvest } from '../../workspace/workspace.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

type Iterate = Extract<Effect, { do: 'iterate' }>

export async function takeOutsideWork(effect: Iterate, word: ReportedDone, taskRun: TaskRun): Promise<EffectOutcome> {
  const { attempt, iteration } = effect
  const taskId = taskRun.task.id
  const harvest = await adoptWork(effect, word, taskRun)
  if (!harvest.taken) return { fact: { type: 'interrupted', taskId, reason: `not taken: ${harvest.reason}` } }
  const signal = signalOf('TASK_COMPLETE')
  return { fact: { type: 'iterationDone', taskId, attempt, iteration, signal, tree: harvest.tree, error: null } }
}

async function adoptWork(
  { attempt, iteration }: Iterate,
  word: ReportedDone,
  { engine, build, task }: TaskRun,
): Promise<Harvest> {
  const commit = word.result?.commit
  if (typeof commit !== 'string')
    return notTaken(`name the commit that holds the work: ralph task done ${task.id} --result '{"commit": "…"}'`)
  try {
    return await engine.workspaces.adopt({ ref: commit }, { build, task: task.id, attempt, iteration })
  } catch (error) {
    if (error instanceof RalphError && error.code === 'COMMIT_NOT_FOUND') return notTaken(error.message)
    throw error
  }
}

function notTaken(reason: string): Harvest {
  return { taken: false, reason }
}
