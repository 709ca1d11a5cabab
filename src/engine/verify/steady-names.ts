// Names of tests may hold a time, a random number or a path of the run. Where some of the base are gone and others have
// come, the base is run once more: what two runs of it name differently nobody has renamed.
import type { CheckRun } from '../../core/evidence/evidence.ts'
import type { TreeId } from '../../core/values/id.ts'
import { installRule } from '../../core/guard/install-scripts.ts'
import { setupFor } from './install.ts'
import type { TaskRun } from '../deps.ts'

/** `names`: of the checks in question. */
export async function runBaseAgain(
  { engine, signal }: Pick<TaskRun, 'engine' | 'signal'>,
  base: TreeId,
  names: readonly string[],
): Promise<CheckRun[]> {
  const { checks, config, workspaces } = engine
  if (names.length === 0) return []
  const checkout = await workspaces.checkout(base)
  try {
    const command = await setupFor(engine, base)
    const { scripts } = installRule(config.workspace.installScripts, [])
    const setup = command === null ? null : { command, installScripts: scripts }
    const prepared = await checks.prepare(checkout, setup, signal)
    if (!prepared.ok) return []
    const runs: CheckRun[] = []
    for (const check of config.checks.filter(({ name }) => names.includes(name)))
      runs.push(await checks.run(checkout, { ...check, kind: 'check' }, [], signal))
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}
