// What was merged is shown in the user's own repository soon, not at once: it takes git several processes and more
// processor time than all else between two quick tasks.
import type { BuildId } from '../core/values/id.ts'
import type { Workspaces } from '../workspace/workspace.ts'

type Mirror = Pick<Workspaces, 'mirror'>

const EVERY_MS = 1_000

interface Pause {
  readonly timer: NodeJS.Timeout
  /** Something was merged since the pause began. */
  isDue: boolean
}

const pauses = new WeakMap<Mirror, Map<BuildId, Pause>>()

/** At once where the last time is long ago, else at the end of the pause; not to be waited for. */
export function mirrorDebounced(workspaces: Mirror, build: BuildId): void {
  const mine = pausesOf(workspaces)
  const pause = mine.get(build)
  if (pause !== undefined) {
    pause.isDue = true
    return
  }
  void workspaces.mirror(build)
  const timer = setTimeout(() => {
    const { isDue } = mine.get(build) ?? { isDue: false }
    mine.delete(build)
    if (isDue) mirrorDebounced(workspaces, build)
  }, EVERY_MS)
  mine.set(build, { timer: timer.unref(), isDue: false })
}

/** Now, and never later. */
export async function mirrorNow(workspaces: Mirror, build: BuildId): Promise<void> {
  const mine = pausesOf(workspaces)
  clearTimeout(mine.get(build)?.timer)
  mine.delete(build)
  await workspaces.mirror(build)
}

function pausesOf(workspaces: Mirror): Map<BuildId, Pause> {
  const known = pauses.get(workspaces) ?? new Map<BuildId, Pause>()
  pauses.set(workspaces, known)
  return known
}
