// Runs checks for a probe: on a tree that nobody will keep, with no part in the evidence but its result.
import type { RunOptions, Setup } from '../../checks/check.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import type { InstallRule } from '../../core/findings/install-scripts.ts'
import { breakDeadline } from '../../core/probes/budget.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { EngineDeps } from '../deps.ts'
import { wantedChecks } from './check-runs.ts'
import { setupFor } from './install.ts'

/** What a probe needs of the engine: a clean clone has this much of one too. */
export interface ProbeContext {
  readonly engine: Pick<EngineDeps, 'workspaces' | 'checks' | 'syntax' | 'memory' | 'now'> & {
    readonly config: Pick<EngineDeps['config'], 'workspace' | 'origins' | 'checks' | 'validators' | 'evidence'>
  }
  readonly signal: AbortSignal
}

export interface ProbeRunRequest extends Pick<RunOptions, 'stopAtFirstRed' | 'only'> {
  readonly tree: TreeId
  /** The checks on the whole tree: those that ran tests run again, or all where none did. */
  readonly like: readonly CheckRun[]
  readonly install: InstallRule
}

export async function runForProbe(taskRun: ProbeContext, request: ProbeRunRequest): Promise<CheckRun[]> {
  const { checks, workspaces } = taskRun.engine
  const { tree, install, like } = request
  const wanted = checksFor(taskRun, like)
  const command = await setupFor(taskRun.engine, tree)
  const setup: Setup | null = command === null ? null : { command, installScripts: install.scripts }
  const checkout = await workspaces.checkout(tree)
  try {
    const prepared = await checks.prepare(checkout, setup, taskRun.signal)
    if (!prepared.ok) return [prepared.run]
    const runs: CheckRun[] = []
    for (const { check, deadline } of wanted) {
      const options = optionsOf(request, Math.min(check.timeoutMs, deadline))
      runs.push(await checks.run(checkout, check, [], taskRun.signal, options))
    }
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}

function optionsOf({ stopAtFirstRed, only }: ProbeRunRequest, timeoutMs: number): RunOptions {
  return {
    timeoutMs,
    ...(stopAtFirstRed === undefined ? {} : { stopAtFirstRed }),
    ...(only === undefined ? {} : { only }),
  }
}

function checksFor({ engine }: ProbeContext, like: readonly CheckRun[]) {
  const ofTests = like.filter(({ kind, tests }) => kind === 'check' && (tests?.run ?? 0) > 0)
  const chosen = ofTests.length > 0 ? ofTests : like.filter(({ kind }) => kind === 'check')
  return wantedChecks(engine.config).flatMap((check) => {
    const run = chosen.find(({ name, kind }) => name === check.name && kind === check.kind)
    return run === undefined ? [] : [{ check, deadline: breakDeadline(run) }]
  })
}
