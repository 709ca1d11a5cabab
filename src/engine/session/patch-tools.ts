// What a session without tools of its own asks the engine to do: change its folder, and run the checks on it.
import { type CheckRun, isGreen } from '../../core/evidence/evidence.ts'
import { refuse } from '../../core/error/error.ts'
import type { ChecksAnswer, RequestHandlers } from '../../core/request/session-request.ts'
import type { AttemptMark, Workspace } from '../../workspace/workspace.ts'
import { newMutex } from '../mutex.ts'
import { applyEdit } from './patching.ts'
import { tryChecks } from '../verify/proof.ts'
import type { TaskRun } from '../deps.ts'

type PatchTools = Pick<RequestHandlers, 'applyPatch' | 'runChecks'>

/** The end of the session stops what is under way. */
export type PatchToolsUntil = (over?: AbortSignal) => PatchTools

/** For one session: more would cost more than the work is worth. */
const RUNS_MAX = 30
/** For one check, the end of its output, in UTF-16 units. */
const OUTPUT_SHOWN_MAX = 6_000
const REPORT_MAX = 24_000

export function openPatchTools(taskRun: TaskRun, workspace: Workspace, mark: AttemptMark): PatchToolsUntil {
  const exclusively = newMutex()
  let runs = 0
  return (over) => {
    const signal = over === undefined ? taskRun.signal : AbortSignal.any([taskRun.signal, over])
    return {
      applyPatch: ({ edit }) =>
        exclusively(async () => {
          const patched = await applyEdit(taskRun.engine, workspace, mark, edit, signal)
          return patched.ok
            ? { applied: true, touchedFiles: patched.paths }
            : { applied: false, reason: patched.reason }
        }),
      runChecks: () =>
        exclusively(async () => {
          runs += 1
          if (runs > RUNS_MAX) return { ok: false, report: `the checks were run ${RUNS_MAX} times; end the iteration` }
          const harvest = await taskRun.engine.workspaces.harvest(workspace, mark)
          if (!harvest.taken) return { ok: false, report: harvest.reason }
          return reportOf(await tryChecks({ ...taskRun, signal }, harvest.tree, workspace.base))
        }),
    }
  }
}

const refused = async (): Promise<never> => {
  throw refuse('NO_ITERATION')
}

/** For a session that works in its folder itself. */
export const NO_PATCH_TOOLS: PatchToolsUntil = () => ({ applyPatch: refused, runChecks: refused })

function reportOf(runs: readonly CheckRun[]): ChecksAnswer {
  if (runs.length === 0) return { ok: false, report: 'no check is configured' }
  const told = runs.map((run) =>
    isGreen(run) ? `${run.name}: green` : `${run.name}: RED\n${run.outputTail.slice(-OUTPUT_SHOWN_MAX)}`,
  )
  return { ok: runs.every(isGreen), report: told.join('\n\n').slice(0, REPORT_MAX) }
}
