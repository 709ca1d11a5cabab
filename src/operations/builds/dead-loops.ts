import type { BuildId } from '../../core/values/id.ts'
import { freeDeadLoops as free } from '../../engine/recover.ts'
import type { BuildContext } from './builds.ts'

/** Frees the tasks of a build whose loop is dead, so that nobody waits for the end of its lease. */
export function freeDeadLoops(
  { store, scope }: Pick<BuildContext, 'store' | 'scope'>,
  build: BuildId,
  hostname: string,
): Promise<void> {
  return free({ store, scope }, build, hostname)
}
